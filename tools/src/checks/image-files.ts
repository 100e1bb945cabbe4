import fs from 'node:fs';
import path from 'node:path';

/**
 * What `ops/Dockerfile` copies and the builder would not find, and what it forgets: manifests of workspaces, and what a build reads
 * outside of its own. `root` is the repository.
 */
export function imageFileProblems(root: string): string[] {
  const read = (...file: string[]) => fs.readFileSync(path.join(root, ...file), 'utf8');
  const copied = [...read('ops', 'Dockerfile').matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap(
    ([, sources]) => (sources ?? '').split(' '),
  );
  const allowed = [...read('ops', 'Dockerfile.dockerignore').matchAll(/^!(.+)$/gm)].map(([, place]) => place);
  const { workspaces } = JSON.parse(read('package.json')) as { workspaces: string[] };
  const built = workspaces.filter((workspace) => copied.includes(workspace));
  const outside = built
    .map((workspace) => path.join(workspace, 'vite.config.ts'))
    .filter((file) => fs.existsSync(path.join(root, file)))
    .flatMap((file) =>
      [...read(file).matchAll(/import\.meta\.dirname, '\.\.\/([^']+)'/g)].map(([, place = '']) => ({
        file,
        place,
      })),
    );
  return [
    ...copied
      .filter((file) => !fs.existsSync(path.join(root, file)))
      .map((file) => `ops/Dockerfile copies ${file}, which is not there`),
    ...copied
      .filter((file) => !allowed.some((place) => file === place || file.startsWith(`${place}/`)))
      .map((file) => `ops/Dockerfile copies ${file}, which ops/Dockerfile.dockerignore leaves out`),
    ...workspaces
      .filter((workspace) => !copied.includes(`${workspace}/package.json`))
      .map(
        (workspace) => `ops/Dockerfile does not copy ${workspace}/package.json, which the lock file names`,
      ),
    ...outside
      .filter(({ place }) => !copied.includes(place))
      .map(({ file, place }) => `ops/Dockerfile does not copy ${place}, which ${file} reads`),
  ];
}
