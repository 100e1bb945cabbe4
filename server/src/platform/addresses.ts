import { BlockList, isIP } from 'node:net';

const familyOf = (address: string) => (isIP(address) === 6 ? 'ipv6' : 'ipv4');

/** Whether it is an address or a network: `198.51.100.7`, `198.51.100.0/24`, `2001:db8::/32`. */
export function isAddressOrNetwork(given: string): boolean {
  const [address = '', bits, ...more] = given.split('/');
  const kind = isIP(address);
  if (kind === 0 || address.includes('%') || more.length > 0) return false;
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (kind === 6 ? 128 : 32));
}

/** Whether an address is in a list of addresses and networks. An empty list has everybody. */
export function isListed(list: readonly string[], address: string): boolean {
  if (list.length === 0) return true;
  if (isIP(address) === 0) return false;
  const listed = new BlockList();
  for (const entry of list) {
    const [network = '', bits] = entry.split('/');
    if (bits === undefined) listed.addAddress(network, familyOf(network));
    else listed.addSubnet(network, Number(bits), familyOf(network));
  }
  return listed.check(address, familyOf(address));
}

const NOT_PUBLIC = new BlockList();
for (const network of [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/3',
]) {
  const [address = '', bits] = network.split('/');
  NOT_PUBLIC.addSubnet(address, Number(bits), 'ipv4');
}
/** Of version 6 the world has this part; in it are gateways that lead to addresses of version 4. */
const WORLD_6 = new BlockList();
WORLD_6.addSubnet('2000::', 3, 'ipv6');
for (const [address, bits] of [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
] as const)
  NOT_PUBLIC.addSubnet(address, bits, 'ipv6');

/** Whether an address is the world's, and not this computer's, this network's, or nobody's. */
export function isPublicAddress(address: string): boolean {
  switch (isIP(address)) {
    case 4:
      return !NOT_PUBLIC.check(address, 'ipv4');
    case 6:
      return WORLD_6.check(address, 'ipv6') && !NOT_PUBLIC.check(address, 'ipv6');
    default:
      return false;
  }
}
