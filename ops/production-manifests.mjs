/*
 * Leaves in the manifests of this folder only what production runs, so that `npm ci --omit=dev` installs that and no more: npm
 * otherwise brings what the other workspaces depend on. For the image; the lock file stays as it is.
 */
import fs from 'node:fs';

const RUN = ['admin', 'contract', 'domain', 'provider-wire', 'server'];

for (const folder of ['.', ...RUN]) {
  const file = `${folder}/package.json`;
  const { devDependencies: _tools, ...manifest } = JSON.parse(fs.readFileSync(file, 'utf8'));
  if (folder === '.') {
    manifest.workspaces = RUN;
    delete manifest.optionalDependencies; // Node, which the image has
  }
  fs.writeFileSync(file, `${JSON.stringify(manifest, null, 2)}\n`);
}
