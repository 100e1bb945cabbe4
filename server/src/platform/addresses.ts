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
