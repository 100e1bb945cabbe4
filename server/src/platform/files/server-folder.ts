import { findPackageJSON } from 'node:module';
import { pathToFileURL } from 'node:url';

/** Where the server's package is, whether its sources run or what was built of them. */
export const SERVER_FOLDER = new URL('.', pathToFileURL(findPackageJSON(import.meta.url) as string));
