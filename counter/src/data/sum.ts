import { pesosToCentavos, zero, type Centavos } from '@aparta/domain/money';

/** A sum of a reply, in pesos; zero where it is none, which the contract refuses before. */
export const sum = (pesos: number): Centavos => pesosToCentavos(pesos) ?? zero;
