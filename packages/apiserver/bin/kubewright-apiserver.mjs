#!/usr/bin/env node
// Here before anything is built, so that package managers can link it when they install.
import '../dist/command/main.js';
