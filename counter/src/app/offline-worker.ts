// The service worker of the counter: without network it brings the document, and the scripts of what only shows.

import { workOffline } from '@aparta/browser/offline/worker.ts';

workOffline('counter');
