import { anybodyCanUse } from './anybody-can-use.ts';
import { SCREENS } from './screens.ts';

anybodyCanUse(SCREENS);
