import { FactList } from '@aparta/ui/fact-list.tsx';
import { Notice } from '@aparta/ui/notice.tsx';
import { ProductHeader } from '@aparta/ui/product-header.tsx';
import text from '@aparta/ui/text.module.css';
import type { Merchant, Product } from '../data/merchants.ts';
import { soldOutCopy as copy } from './sold-out-copy.ts';

/** No unit is left, and whom to ask when more come. */
export default function SoldOut({ product, merchant }: { product: Product; merchant: Merchant | undefined }) {
  const { name = '', phone = '', address = '', hours = '' } = merchant ?? {};
  return (
    <div className={`${text.card} ${text.stack}`}>
      <ProductHeader title={product.name} sub={name} merchant={name} pictures={product.pictures} />
      <Notice tone="pending" title={copy.title} urgent>
        {copy.text}
      </Notice>
      {phone !== '' && (
        <p>
          {copy.call} <a href={`tel:${phone.replaceAll(/[^+\d]/g, '')}`}>{phone}</a>
        </p>
      )}
      {address !== '' && <FactList facts={[{ icon: 'store', title: address, text: hours }]} />}
    </div>
  );
}
