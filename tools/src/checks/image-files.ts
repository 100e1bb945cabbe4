import fs from 'node:fs';
import path from 'node:path';

/** What `ops/Dockerfile` copies and the builder would not find, and workspaces whose manifest it forgets. `root` is the repository. */
export function imageFileProblems(root: string): string[] {
  const read = (...file: string[]) => fs.readFileSync(path.join(root, ...file), 'utf8');
  const copied = [...read('ops', 'Dockerfile').matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap(
    ([, sources]) => (sources ?? '').split(' '),
  );
  const allowed = [...read('ops', 'Dockerfile.dockerignore').matchAll(/^!(.+)$/gm)].map(([, place]) => place);
  const { workspaces } = JSON.parse(read('package.json')) as { workspaces: string[] };
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
  ];
}
