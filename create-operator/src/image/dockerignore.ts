/** Returns the .dockerignore of a project: a plain list, which Docker and Podman interpret identically. */
export function dockerignore(): string {
  return `.git
.github
.kubewright
.vscode
.env
config
coverage
dist
node_modules
*.log
*.md
Dockerfile
`;
}
