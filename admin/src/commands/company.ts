import { addCompany, type CompanyEntry, editCompany } from '@aparta/server/catalogue/merchants/save-company';
import { encodeLogo, setLogo } from '@aparta/server/catalogue/merchants/save-logo';
import { listCompanies } from '@aparta/server/catalogue/merchants/store';
import { changes, type Command, reads } from '../command.ts';
import { changedFields } from '../copy.ts';
import { file, text, whole } from '../options.ts';
import { sentence, table } from '../print.ts';

const phone = text('Teléfono');

export const companyCommands: readonly Command[] = [
  changes({
    name: 'company add',
    says: 'Agrega una empresa',
    positionals: { name: text('Nombre') },
    options: { phone },
    examples: [['company add "Grupo Mueblero" --phone 2225550100', 'Agrega la empresa y dice su número']],
    run:
      (_given, { name, phone = '' }) =>
      async (tx) => {
        const entry: CompanyEntry = { name, phone };
        const id = await addCompany(tx, entry);
        return {
          subject: { kind: 'company', id },
          detail: { after: entry },
          said: sentence(`Empresa ${id}: ${name}.`, { id }),
        };
      },
  }),
  reads({
    name: 'company list',
    says: 'Lista las empresas',
    examples: [['company list', 'Todas, con cuántos comercios tiene cada una']],
    async run({ db }) {
      return table(
        await listCompanies(db),
        [
          ['EMPRESA', ({ id }) => id],
          ['NOMBRE', ({ name }) => name],
          ['TELÉFONO', ({ phone }) => phone],
          ['COMERCIOS', ({ merchants }) => merchants],
          ['LOGOTIPO', ({ has_logo, logo_file_name }) => (has_logo ? logo_file_name : 'no tiene')],
        ],
        { none: 'No hay empresas: agregue una con company add.' },
      );
    },
  }),
  changes({
    name: 'company edit',
    says: 'Cambia los datos de una empresa',
    positionals: { company: whole('Número de la empresa') },
    options: { name: text('Nombre'), phone },
    examples: [['company edit 1 --phone 2225550199', 'Cambia su teléfono']],
    run:
      (_given, { company, name, phone }) =>
      async (tx) => {
        const changed = await editCompany(tx, company, {
          ...(name !== undefined && { name }),
          ...(phone !== undefined && { phone }),
        });
        return {
          subject: { kind: 'company', id: company },
          detail: { ...changed },
          said: sentence(`Empresa ${company}: ${changedFields(changed.after)}.`, changed),
        };
      },
  }),
  changes({
    name: 'company logo set',
    says: 'Pone el logotipo de una empresa (JPEG o PNG; se guarda de 512 puntos a lo más)',
    positionals: { company: whole('Número de la empresa'), file: file('Archivo') },
    examples: [['company logo set 1 logo.png', 'Pone logo.png']],
    async run(_given, { company, file: { bytes } }) {
      const logo = await encodeLogo(bytes);
      return async (tx) => {
        const fileName = await setLogo(tx, company, logo);
        return {
          subject: { kind: 'company', id: company },
          detail: { logo: fileName },
          said: sentence(`Empresa ${company}: su logotipo es ${fileName} (${logo.bytes.length} bytes).`, {
            fileName,
          }),
        };
      };
    },
  }),
];
