import { helpCode } from '../src/purchases/help-links/help-code.ts';
import type { Settings } from '../src/env.ts';

/**
 * The work of 200 payments by one link, found before (by `workProof` of `help-acts.ts`, with the key of development): thirteen million
 * hashes are seconds of every run.
 */
export const WORKED_LINK = '00000000-0000-4000-8000-0000000000aa';
export const workedCode = ({ keyRing }: Settings): string => helpCode(keyRing, WORKED_LINK);

const TRIES =
  'v8k vlx lo 1np7 qf 120f ycs 3i9d i4j 2n3t 1lzj 1u8b 17ko 2yy6 1od 123p 330k i39 14lw gau xef cp1 3j4 4lah ' +
  'adp 4zuv 2e6u 3q8 j10 3nti sdz 15sj 1d2x 11de 2le 1odo 1yly 1274 2wgp o6m 7b3 1kyr 2a3b 31f4 152t 5k30 ' +
  '188g 1u55 105d ty1 or8 162h hl1 2jim 31w9 30w hfl 2ns3 1rp9 3fle 11u9 7rw obr 2ev wb 3jmo tbg 28wo 116y ' +
  '8qx 1jsf 2l3e 1ro 4287 18jm 3rs9 3h6x pr 1t4 7mn b5i 18ru 4nvh 2b5 1p0 h3c 1kcy n0m ksp oku 6r5 lej 7bs ' +
  'h30 vmy 891 ix 26vs 2x8y 43z5 1cvz 258j 2bv3 6xu fny 8ul 19ou 40d5 743 1fkh abx 1lqz pgz 1020 izx 4tlg ' +
  'ee0 2ggl jvd 18ge 75f tjn du1 337y 60g 5p2k 1788 3a6r 1ewk 1xdr 2ifr xvl 74s 2ksi j1j o63 12v0 3lod en9 ' +
  '9ux 3shi x5i 1i4z 5me fmf 1mes ei9 21t5 5qi 271k 1ws5 1vm jsi 2n9o spi 1rfx 1i9y 18lb 12no 36lp 25qm 12mk ' +
  'kp4 1w4a 1f6j c79 9od 5q9 2t2 8fq 37nv cs0 5qex 11wo yf7 11m5 1421 c8o 4qe 4i4 34zm 5b9c ijf 26gp 18fe ' +
  '14c nu1 gkm 2vz6 17u7 32lj fa6 5x2o oen 3xp 1z1v mrx 16nf zzk rbi';

export const WORKED = TRIES.split(' ').map((tries, at) => ({
  intentId: `00000000-0000-4000-8000-${String(at).padStart(12, '0')}`,
  workProof: String(Number.parseInt(tries, 36)),
}));
