import { anybodyCanUse } from './anybody-can-use.ts';
import { COUNTER_SCREENS } from './counter-screens.ts';

anybodyCanUse(COUNTER_SCREENS);
