import { expect, test } from 'vitest';
import { imageFileProblems } from './image-files.ts';
import { plantTree } from './planted-tree.ts';

test('an image that its builder could not make is reported, with what it lacks', () => {
  const tree = plantTree({
    'package.json': '{ "workspaces": ["server", "web", "ui"] }',
    'server/package.json': '{}',
    'web/package.json': '{}',
    'web/vite.config.ts': "installable({ pictures: join(import.meta.dirname, '../docs/pictures') });",
    'ops/Dockerfile': [
      'FROM node AS one',
      'COPY package.json ./',
      'COPY server/package.json server/',
      'COPY web/package.json web/',
      'COPY server/src server/src',
      'COPY web web',
      'COPY --from=one /app ./',
    ].join('\n'),
    'ops/Dockerfile.dockerignore': '*\n!package.json\n!server\n',
  });
  try {
    expect(imageFileProblems(tree.root)).toEqual([
      'ops/Dockerfile copies server/src, which is not there',
      'ops/Dockerfile copies web/package.json, which ops/Dockerfile.dockerignore leaves out',
      'ops/Dockerfile copies web, which ops/Dockerfile.dockerignore leaves out',
      'ops/Dockerfile does not copy ui/package.json, which the lock file names',
      'ops/Dockerfile does not copy docs/pictures, which web/vite.config.ts reads',
    ]);
  } finally {
    tree.remove();
  }
});
