/** The .dockerignore of a project: a plain list, which docker and podman read alike. */
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
