import { downloadLogo, getCompany } from '@aparta/contract/merchants';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../api/client.ts';

/** A logo as a `data:` URL, cached for the visit. */
export const logoQuery = (fileName: string) =>
  queryOptions({
    queryKey: ['logo file', fileName],
    enabled: fileName !== '',
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: ({ signal }) => logoIn(fileName, signal),
  });

/** A company's logo as a `data:` URL, or null if it has none. Cached for the visit. */
export const companyLogoQuery = (companyId: number) =>
  queryOptions({
    queryKey: ['logo', companyId],
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: async ({ signal }) => {
      const { data: company } = await call(getCompany, { params: { id: companyId } }, { signal });
      return company.logofileName === '' ? null : logoIn(company.logofileName, signal);
    },
  });

async function logoIn(fileName: string, signal: AbortSignal): Promise<string> {
  const { data } = await call(downloadLogo, { params: { fileName } }, { signal });
  return `data:${data.contentType};base64,${data.contentByteArray}`;
}
