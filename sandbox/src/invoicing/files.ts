import { decimal, formatMoney } from '@aparta/domain/money';
import { html } from '../pages/html.ts';
import { showMoment } from '../pages/page.ts';
import { demoOffice, type InvoiceRow } from './office.ts';

const localTime = new Intl.DateTimeFormat('sv-SE', {
  timeZone: 'America/Mexico_City',
  dateStyle: 'short',
  timeStyle: 'medium',
});

/** 2026-11-20T12:30:00, in Mexico City. */
const stampOf = (moment: number): string => localTime.format(moment).replace(' ', 'T');

/** At least two decimals and at most six. */
const amountOf = (micropesos: number): string => (micropesos / 1e6).toFixed(6).replace(/0{1,4}$/, '');

const seal = 'U2FuZGJveA==';

/** A CFDI 4.0 with made-up seals. */
export function xmlOf(row: InvoiceRow): string {
  const { receiver, product, quantity, priceMicropesos } = row;
  const issuer = demoOffice.businesses.find(({ id }) => id === row.business);
  const rate = (product.ivaBasisPoints / 10_000).toFixed(6);
  const line = priceMicropesos * quantity;
  const lineIva = amountOf(Math.round((line * product.ivaBasisPoints) / 10_000));
  const [subTotal, iva] = [decimal(row.subTotalCentavos), decimal(row.ivaCentavos)];
  return html`<?xml version="1.0" encoding="UTF-8"?>
    <cfdi:Comprobante
      xmlns:cfdi="http://www.sat.gob.mx/cfd/4"
      xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"
      xsi:schemaLocation="http://www.sat.gob.mx/cfd/4 http://www.sat.gob.mx/sitio_internet/cfd/4/cfdv40.xsd"
      Version="4.0"
      Serie="${row.serie}"
      Folio="${row.folio}"
      Fecha="${stampOf(row.at)}"
      Sello="${seal}"
      FormaPago="${row.form}"
      NoCertificado="00001000000000000000"
      Certificado="${seal}"
      SubTotal="${subTotal}"
      Moneda="MXN"
      Total="${decimal(row.totalCentavos)}"
      TipoDeComprobante="I"
      Exportacion="01"
      MetodoPago="${row.method}"
      LugarExpedicion="${issuer?.zip}"
    >
      <cfdi:Emisor Rfc="${issuer?.rfc}" Nombre="${issuer?.name}" RegimenFiscal="${issuer?.regime}" />
      <cfdi:Receptor
        Rfc="${receiver.taxid}"
        Nombre="${receiver.name}"
        DomicilioFiscalReceptor="${receiver.address.main.zip}"
        RegimenFiscalReceptor="${receiver.taxregime.k}"
        UsoCFDI="${receiver.invoiceuse.k}"
      />
      <cfdi:Conceptos>
        <cfdi:Concepto
          ClaveProdServ="${product.satClass}"
          NoIdentificacion="${product.sku}"
          Cantidad="${quantity}"
          ClaveUnidad="${product.satUnit}"
          Descripcion="${row.description}"
          ValorUnitario="${amountOf(priceMicropesos)}"
          Importe="${amountOf(line)}"
          ObjetoImp="02"
        >
          <cfdi:Impuestos>
            <cfdi:Traslados>
              <cfdi:Traslado
                Base="${amountOf(line)}"
                Impuesto="002"
                TipoFactor="Tasa"
                TasaOCuota="${rate}"
                Importe="${lineIva}"
              />
            </cfdi:Traslados>
          </cfdi:Impuestos>
        </cfdi:Concepto>
      </cfdi:Conceptos>
      <cfdi:Impuestos TotalImpuestosTrasladados="${iva}">
        <cfdi:Traslados>
          <cfdi:Traslado
            Base="${subTotal}"
            Impuesto="002"
            TipoFactor="Tasa"
            TasaOCuota="${rate}"
            Importe="${iva}"
          />
        </cfdi:Traslados>
      </cfdi:Impuestos>
      <cfdi:Complemento>
        <tfd:TimbreFiscalDigital
          xmlns:tfd="http://www.sat.gob.mx/TimbreFiscalDigital"
          Version="1.1"
          UUID="${row.folioTax}"
          FechaTimbrado="${stampOf(row.at)}"
          RfcProvCertif="SAT970701NN3"
          SelloCFD="${seal}"
          NoCertificadoSAT="00001000000000000000"
          SelloSAT="${seal}"
        />
      </cfdi:Complemento>
    </cfdi:Comprobante> `.markup;
}

/** One page with what the invoice says. */
export function pdfOf(row: InvoiceRow): Buffer {
  const issuer = demoOffice.businesses.find(({ id }) => id === row.business);
  return pageOf([
    `Factura ${row.serie}${row.folio} (de prueba, sin valor fiscal)`,
    '',
    `Emisor: ${issuer?.name} ${issuer?.rfc}`,
    `Receptor: ${row.receiver.name} ${row.receiver.taxid}`,
    `C.P. ${row.receiver.address.main.zip}, régimen ${row.receiver.taxregime.k}, uso ${row.receiver.invoiceuse.k}`,
    `Fecha: ${showMoment(row.at)}`,
    `Forma de pago ${row.form}, método ${row.method}`,
    '',
    `${row.quantity} x ${row.description}`,
    row.observations,
    '',
    `Subtotal ${formatMoney(row.subTotalCentavos)}`,
    `IVA ${formatMoney(row.ivaCentavos)}`,
    `Total ${formatMoney(row.totalCentavos)}`,
    '',
    `Folio fiscal ${row.folioTax}`,
  ]);
}

/** The smallest PDF that every reader opens: lines of Helvetica on one US Letter page. */
function pageOf(lines: readonly string[]): Buffer {
  const text = lines
    .map((line) => `(${line.replace(/[^\x20-\x7e\xa0-\xff]/g, '?').replace(/[\\()]/g, '\\$&')}) '`)
    .join('\n');
  const content = `BT /F1 11 Tf 16 TL 60 740 Td\n${text}\nET`;
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>',
    `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>',
  ];
  // Latin-1 is one byte a character, so the offsets in the table are right.
  let body = '%PDF-1.4\n';
  const places = objects.map((object, index) => {
    const place = String(body.length).padStart(10, '0');
    body += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return `${place} 00000 n \n`;
  });
  const count = objects.length + 1;
  const table = `xref\n0 ${count}\n0000000000 65535 f \n${places.join('')}`;
  const end = `trailer\n<< /Size ${count} /Root 1 0 R >>\nstartxref\n${body.length}\n%%EOF\n`;
  return Buffer.from(body + table + end, 'latin1');
}
