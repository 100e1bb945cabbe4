import type { Page } from 'playwright-core';
import sharp from 'sharp';
import {
  addAuthenticator,
  claimed,
  endedByRule,
  warnedOf,
  find,
  openCounter,
  readyToHandOver,
  STAFF,
  tokenOf,
} from './counter.ts';
import type { Screen } from './screens.ts';
import { DEMO_PASSWORD } from './shop.ts';

/** Every screen of the counter in every state worth checking. */
const screens: readonly Screen[] = [
  {
    name: 'counter: sign-in, refused',
    open: async ({ shop, page }) => {
      await page.goto(`${shop.origin}/mostrador`);
      await page.getByLabel('Correo').fill('nadie@example.mx');
      await page.getByLabel('Contraseña').fill('una clave cualquiera');
      await page.getByRole('button', { name: 'Entrar', exact: true }).click();
      await page.getByText('El correo o la contraseña no coinciden').waitFor();
    },
  },
  {
    name: 'counter: find',
    open: async ({ shop, page }) => {
      await openCounter(page, shop);
      await page.getByRole('button', { name: 'Buscar' }).waitFor();
    },
  },
  {
    name: 'counter: find, with a wrong digit',
    open: async ({ shop, page }) => {
      await openCounter(page, shop, STAFF.manager);
      await page.getByLabel('Número o folio').pressSequentially('1234567');
      await page.getByRole('button', { name: 'Buscar' }).click();
      await page.getByText('Este número no existe', { exact: false }).waitFor();
    },
  },
  {
    name: 'counter: a number of nobody',
    open: async ({ shop, page }) => {
      await openCounter(page, shop);
      await find(page, 'ZZZZZZZZZZ');
      await page.getByText('Ese número no es de esta tienda', { exact: false }).waitFor();
    },
  },
  {
    name: 'counter: what is owed late, another sum, change',
    open: async ({ shop, page }) => {
      await openCounter(page, shop);
      await find(page, await lateNumber(shop));
      await page.getByLabel('Otro monto').check();
      await page.getByLabel('Monto', { exact: true }).fill('37.50');
      await page.getByLabel('Recibes').fill('50');
      await page.getByText('Cambio: $12.50').waitFor();
    },
  },
  {
    name: 'counter: by terminal, without its slip',
    open: async ({ shop, page }) => {
      await openCounter(page, shop);
      await find(page, await lateNumber(shop));
      await page.getByLabel('Tu terminal').check();
      await page.getByRole('button', { name: /^Cobrar \$/ }).click();
      await page.getByText('Escribe el número de autorización', { exact: false }).waitFor();
    },
  },
  {
    name: 'counter: no answer',
    open: async ({ shop, page, buyer }) => {
      await openCounter(page, shop);
      await find(page, (await shop.newReference(buyer)).paymentReference);
      await page.route('**/v1/counter/payments', (route) => route.fulfill({ body: 'no' }));
      await page.getByRole('button', { name: /^Cobrar \$/ }).click();
      await page.getByText('¿Se registró el cobro', { exact: false }).waitFor();
    },
  },
  {
    name: 'counter: a drawer with too much in it, without a reason',
    open: async ({ shop, page }) => {
      await openCounter(page, shop, STAFF.cashier, '/corte');
      await page.getByRole('button', { name: 'Contar y cerrar' }).click();
      await page.getByLabel('¿Cuánto efectivo contaste?').fill('999999');
      await page.getByRole('button', { name: 'Cerrar corte' }).click();
      await page.getByText('Escribe por qué no cuadra.').waitFor();
    },
  },
  {
    name: 'counter: a closed cut',
    isPrinted: true,
    open: async ({ shop, page, buyer }) => {
      await openCounter(page, shop, STAFF.owner);
      await find(page, (await shop.newReference(buyer)).paymentReference);
      await page.getByRole('button', { name: /^Cobrar \$/ }).click();
      await page.getByText('Cobrado').waitFor();
      await page.goto(`${shop.origin}/mostrador/corte`);
      const own = page.getByRole('region', { name: 'Tu caja' });
      await own.getByRole('button', { name: 'Contar y cerrar' }).click();
      await page.getByLabel('Fondo de caja').fill('500');
      await page.getByLabel('¿Cuánto efectivo contaste?').fill('501');
      await page.getByLabel('Motivo de la diferencia').fill('Faltó dinero');
      await page.getByRole('button', { name: 'Cerrar corte' }).click();
      await page.getByRole('button', { name: 'Guardar PDF' }).waitFor();
    },
  },
  {
    name: 'counter: what has no tab',
    open: async ({ shop, page }) => {
      await openCounter(page, shop, STAFF.owner);
      await page.getByRole('link', { name: 'Más' }).click();
      await page.getByRole('main').getByRole('link', { name: 'Mi cuenta' }).waitFor();
    },
  },
  {
    name: 'counter: products',
    open: async ({ shop, page }) => {
      const picture = (await photo()).toString('base64');
      await asOwner(shop, 'POST /v1/counter/products/1/picture', { picture });
      await openCounter(page, shop, STAFF.owner, '/productos');
      await page.getByText('Horno de microondas 1.4 pies').waitFor();
    },
  },
  {
    name: 'counter: product with its label',
    open: async ({ shop, page }) => {
      await openCounter(page, shop);
      await page.goto(`${shop.origin}/mostrador/productos/1`);
      await page.getByRole('img', { name: 'Código QR de Horno' }).waitFor();
    },
  },
  {
    name: 'counter: product whose units are counted, one of them changed meanwhile',
    open: async ({ shop, page }) => {
      const { id } = await newProduct(shop);
      const units = (free: number, was: number) =>
        asOwner(shop, `POST /v1/counter/products/${id}/units`, { branchId: 1, free, was });
      await units(3, 0);
      await openCounter(page, shop, STAFF.owner, `/productos/${id}`);
      const card = page.getByRole('region', { name: 'Piezas' });
      await card.getByText('3 para vender').waitFor();
      await units(0, 3);
      const centro = card.getByRole('listitem').filter({ hasText: 'Centro' });
      await centro.getByLabel('Para vender').fill('2');
      await centro.getByRole('button', { name: 'Guardar' }).click();
      await card.getByText('Ahora hay 0 para vender', { exact: false }).waitFor();
    },
  },
  {
    name: 'counter: what a branch keeps, with one that is not there',
    open: async ({ shop, page, buyer }) => {
      const { id } = await newProduct(shop);
      await asOwner(shop, `POST /v1/counter/products/${id}/units`, { branchId: 1, free: 2, was: 0 });
      const { paymentReference, tillTotal } = await shop.newReference(buyer, { productId: id });
      const press = {
        id: crypto.randomUUID(),
        branchId: 1,
        reference: paymentReference,
        amount: tillTotal,
        method: 'cash',
        tendered: tillTotal,
      };
      await asOwner(shop, 'POST /v1/counter/payments', press);
      await openCounter(page, shop, STAFF.cashier, '/guardado');
      await page.getByRole('button', { name: 'No está' }).last().click();
      await page.getByText('No aparece desde', { exact: false }).first().waitFor();
    },
  },
  {
    name: 'counter: what a branch keeps, with numbers that wait, and one that is nobody’s',
    open: async ({ shop, page }) => {
      await openCounter(page, shop, STAFF.cashier, '/guardado');
      const field = page.getByLabel('O escribe su número o folio');
      await field.fill('ZZZZZZZZZZ');
      await field.press('Enter');
      await page.getByText('ZZZZZZZZZZ:').waitFor();
      await page.route('**/v1/counter/shelf', (route) =>
        route.request().method() === 'GET' ? route.continue() : undefined,
      );
      for (const code of ['1234567', '7654321']) {
        await field.fill(code);
        await field.press('Enter');
      }
      await page.getByText('Anotando 2…').waitFor();
    },
  },
  {
    name: 'counter: what a branch that closed still keeps',
    open: async ({ shop, page, buyer }) => {
      const { id } = await newProduct(shop);
      const [closing] = await shop.query(
        `insert into branches (merchant_id, name) values (1, 'Plaza ' || $1::text) returning id`,
        [id],
      );
      const branchId = Number(closing.id);
      await asOwner(shop, `POST /v1/counter/products/${id}/units`, { branchId, free: 1, was: 0 });
      const { paymentReference: reference, tillTotal: amount } = await shop.newReference(buyer, {
        productId: id,
      });
      const press = { id: crypto.randomUUID(), branchId, reference, amount, method: 'cash' };
      await asOwner(shop, 'POST /v1/counter/payments', press);
      await shop.query('update branches set closed_at = now() where id = $1', [branchId]);
      await openCounter(page, shop, STAFF.owner, '/guardado');
      await page.getByLabel('Sucursal').selectOption({ label: `Plaza ${id} (cerrada)` });
      await page.getByRole('button', { name: /^Ya está en / }).waitFor();
    },
  },
  {
    name: 'counter: adding a product, with its plan and a code that another has',
    open: async ({ shop, page }) => {
      await openCounter(page, shop, STAFF.owner, '/productos/nuevo');
      await page.getByLabel('Nombre').fill('Silla mecedora de roble');
      await page.getByLabel('Precio').fill('3,499.50');
      await page.getByRole('region', { name: 'Así lo ve el comprador' }).getByText('Hoy paga').waitFor();
      await page.getByLabel('Código').fill('lb-ref-14');
      await page.getByRole('button', { name: 'Agregar producto' }).click();
      await page.getByText('Otro producto ya tiene ese código', { exact: false }).waitFor();
    },
  },
  {
    name: 'counter: adding a product, begun before a reload, for a price that makes no plan',
    open: async ({ shop, page }) => {
      await openCounter(page, shop, STAFF.owner, '/productos/nuevo');
      await page.getByLabel('Precio').fill('0.01');
      await page.reload();
      await page.getByText('Aquí sigue lo que habías escrito').waitFor();
      await page.getByText('Más', { exact: true }).last().click();
      await page.getByRole('button', { name: 'Agregar producto' }).click();
      await page.getByText('Escribe el nombre del producto.').waitFor();
    },
  },
  {
    name: 'counter: adding a product, no answer',
    open: async ({ shop, page }) => {
      await openCounter(page, shop, STAFF.owner, '/productos/nuevo');
      await page.getByLabel('Nombre').fill('Silla mecedora de roble');
      await page.getByLabel('Precio').fill('3499');
      await page.route('**/v1/counter/products', (route) => route.fulfill({ body: 'no' }));
      await page.getByRole('button', { name: 'Agregar producto' }).click();
      await page.getByText('No sabemos si se guardó.').waitFor();
    },
  },
  {
    name: 'counter: a product that somebody else changed meanwhile',
    open: async ({ shop, page }) => {
      const product = await newProduct(shop);
      await openCounter(page, shop, STAFF.owner, `/productos/${product.id}/editar`);
      await page.getByLabel('Precio').fill('2,100');
      const theirs = { name: product.name, version: product.version, price: 1950 };
      await asOwner(shop, `POST /v1/counter/products/${product.id}`, theirs);
      await page.getByRole('button', { name: 'Guardar cambios' }).click();
      await page.getByRole('region', { name: 'Ahora dice' }).getByText('$1,950.00').waitFor();
    },
  },
  {
    name: 'counter: a product and the photo that its owner chose',
    open: async ({ shop, page }) => {
      const { id } = await newProduct(shop);
      await openCounter(page, shop, STAFF.owner, `/productos/${id}`);
      await choosePhoto(page, 'image/jpeg', await photo());
      await page.getByRole('img', { name: 'Foto de Mecedora' }).first().waitFor();
    },
  },
  {
    name: 'counter: a file that is no photo',
    open: async ({ shop, page }) => {
      const { id } = await newProduct(shop);
      await openCounter(page, shop, STAFF.owner, `/productos/${id}`);
      await choosePhoto(page, 'image/heic', Buffer.from('....ftypheic'));
      await page.getByText('No pudimos leer esa foto', { exact: false }).waitFor();
    },
  },
  {
    name: 'counter: a product taken off sale',
    open: async ({ shop, page }) => {
      const { id } = await newProduct(shop);
      await openCounter(page, shop, STAFF.owner, `/productos/${id}`);
      await page.getByRole('button', { name: 'Quitar de la venta' }).click();
      await page.getByText('nadie más lo puede apartar', { exact: false }).waitFor();
    },
  },
  {
    name: 'counter: products that are off sale',
    open: async ({ shop, page }) => {
      const { id } = await newProduct(shop);
      await asOwner(shop, `POST /v1/counter/products/${id}/sale`, { onSale: false });
      await openCounter(page, shop, STAFF.owner, '/productos');
      await page.getByRole('link', { name: 'Fuera de venta' }).click();
      await page.getByText('Mecedora', { exact: false }).first().waitFor();
    },
  },
  {
    name: 'counter: handing over, a wrong code',
    open: async ({ shop, page, buyer }) => {
      const { printed } = await readyToHandOver(shop, buyer);
      await openCounter(page, shop, STAFF.cashier, `/entrega/${printed}`);
      await page.getByLabel('Código de entrega').fill('000000');
      await page.getByRole('button', { name: 'Revisar el código' }).click();
      await page.getByText('El código no es de esta compra', { exact: false }).waitFor();
    },
  },
  {
    name: 'counter: handing over to who was named, with a signature',
    open: async ({ shop, page, buyer }) => {
      const { printed, digits } = await readyToHandOver(shop, buyer);
      await page.route('**/v1/counter/hand-overs/find', async (route) => {
        const answer = await route.fetch();
        const body = await answer.json();
        await route.fulfill({ json: { ...body, data: { ...body.data, wantsSignature: true } } });
      });
      await openCounter(page, shop, STAFF.cashier, `/entrega/${printed}`);
      await page.getByLabel('Código de entrega').fill(digits);
      await page.getByRole('button', { name: 'Revisar el código' }).click();
      await page.getByRole('button', { name: 'Entregar', exact: true }).click();
      await page.getByText('Falta la firma.').waitFor();
      const pad = page.getByRole('img', { name: 'Firma de quien recoge' });
      await pad.scrollIntoViewIfNeeded();
      const box = await pad.boundingBox();
      if (box === null) throw new Error('no square to sign in');
      await page.mouse.move(box.x + 40, box.y + box.height / 2);
      await page.mouse.down();
      await page.mouse.move(box.x + 120, box.y + box.height / 4, { steps: 4 });
      await page.mouse.move(box.x + 200, box.y + box.height / 2, { steps: 4 });
      await page.mouse.up();
      await page.getByRole('button', { name: 'Borrar la firma' }).waitFor();
    },
  },
  {
    name: 'counter: handing over, any purchase',
    open: async ({ shop, page }) => {
      await openCounter(page, shop);
      await page.getByRole('link', { name: 'Entregar una compra' }).click();
      await page.getByRole('button', { name: 'Revisar el código' }).click();
      await page.getByText('Son seis dígitos.').waitFor();
    },
  },
  {
    name: 'counter: handing over, no answer',
    open: async ({ shop, page, buyer }) => {
      const { printed, digits } = await readyToHandOver(shop, buyer);
      await openCounter(page, shop, STAFF.cashier, `/entrega/${printed}`);
      await page.getByLabel('Código de entrega').fill(digits);
      await page.getByRole('button', { name: 'Revisar el código' }).click();
      await page.route('**/v1/counter/hand-overs', (route) => route.fulfill({ body: 'no' }));
      await page.getByRole('button', { name: 'Entregar', exact: true }).click();
      await page.getByText('¿Se anotó la entrega?').waitFor();
    },
  },
  {
    name: 'counter: handing over, not written down before a reload',
    open: async ({ shop, page, buyer }) => {
      const { printed, digits } = await readyToHandOver(shop, buyer);
      await openCounter(page, shop, STAFF.cashier, `/entrega/${printed}`);
      await page.getByLabel('Código de entrega').fill(digits);
      await page.getByRole('button', { name: 'Revisar el código' }).click();
      await page.route('**/v1/counter/hand-overs', (route) => route.fulfill({ body: 'no' }));
      await page.getByRole('button', { name: 'Entregar', exact: true }).click();
      await page.getByText('¿Se anotó la entrega?').waitFor();
      await page.reload();
      await page.getByText('La entrega no se anotó').waitFor();
    },
  },
  {
    name: 'counter: handed over',
    open: async ({ shop, page, buyer }) => {
      const { printed, digits } = await readyToHandOver(shop, buyer);
      await openCounter(page, shop, STAFF.cashier, `/entrega/${printed}`);
      await page.getByLabel('Código de entrega').fill(digits);
      await page.getByRole('button', { name: 'Revisar el código' }).click();
      await page.getByRole('button', { name: 'Entregar', exact: true }).click();
      await page.getByText('¡Entregado!').waitFor();
    },
  },
  {
    name: 'counter: receipt',
    isPrinted: true,
    open: takeDeposit,
  },
  {
    name: 'counter: receipt, and taking it back',
    open: async (stage) => {
      await takeDeposit(stage);
      const { page } = stage;
      await page.getByRole('button', { name: 'Devolver este cobro' }).click();
      await page.getByLabel('Motivo').waitFor();
    },
  },
  {
    name: 'counter: receipt of a purchase that was cancelled',
    open: async (stage) => {
      await takeDeposit(stage);
      await cancelPaid(stage);
      await stage.page.reload();
      await stage.page.getByText('La compra se canceló.').waitFor();
    },
  },
  {
    name: 'counter: what is owed back of a cancelled purchase',
    open: async (stage) => {
      await takeDeposit(stage);
      const folio = localPart(stage.page.url()).split('/').at(-1) ?? '';
      await cancelPaid(stage);
      await stage.page.goto(`${stage.shop.origin}/mostrador/cobro/${folio}`);
      await stage.page.getByRole('link', { name: 'Entregar la devolución' }).waitFor();
    },
  },
  {
    name: 'counter: an invitation',
    open: async ({ shop, page }) => {
      const body = { email: `n${Date.now()}@example.mx`, name: 'Nadia Núñez', role: 'accountant' };
      const { link } = await asOwner(shop, 'POST /v1/counter/invitations', body);
      await page.goto(shop.origin + localPart(link));
      await page.getByLabel('Contraseña nueva').waitFor();
    },
  },
  {
    name: 'counter: a forgotten password',
    open: async ({ shop, page }) => {
      await page.goto(`${shop.origin}/mostrador/olvide`);
      await page.getByLabel('Correo').fill('nadie@example.mx');
      await page.getByRole('button', { name: 'Mandar enlace' }).click();
      await page.getByText('el enlace va en camino', { exact: false }).waitFor();
    },
  },
  {
    name: 'counter: another password, by a dead link',
    open: async ({ shop, page }) => {
      await page.goto(`${shop.origin}/mostrador/contrasena#code=x`);
      await page.getByLabel('Contraseña nueva').fill('otra-clave-larga-8');
      await page.getByRole('button', { name: 'Cambiar contraseña' }).click();
      await page.getByText('Este enlace ya no sirve', { exact: false }).waitFor();
    },
  },
  {
    name: 'counter: staff',
    open: async ({ shop, page }) => {
      const body = { email: 'nadie.vino@example.mx', name: 'Nadia Núñez', role: 'accountant' };
      await asOwner(shop, 'POST /v1/counter/invitations', body);
      await openCounter(page, shop, STAFF.owner, '/personal');
      await page.getByRole('button', { name: 'Pedir llave a los dueños' }).click();
      await page.getByText('Primero usa tu propia llave', { exact: false }).waitFor();
    },
  },
  {
    name: 'counter: staff, inviting',
    open: async ({ shop, page }) => {
      await openCounter(page, shop, STAFF.owner, '/personal');
      await page.getByRole('button', { name: 'Invitar a alguien' }).click();
      await page.getByLabel('Nombre y apellido').waitFor();
    },
  },
  {
    name: 'counter: staff, a person',
    open: async ({ shop, page }) => {
      await openCounter(page, shop, STAFF.owner, '/personal');
      await page.getByRole('button', { name: /Laura Pérez/ }).click();
      await page.getByRole('button', { name: 'Dar de baja' }).click();
      await page.getByRole('button', { name: 'Dar de baja a Laura Pérez' }).waitFor();
    },
  },
  {
    name: 'counter: a page of another role',
    open: async ({ shop, page }) => {
      await openCounter(page, shop, STAFF.cashier, '/personal');
      await page.getByRole('link', { name: 'Ir a Cobrar' }).waitFor();
    },
  },
  {
    name: 'counter: shared devices, and the code that enrols one',
    open: async ({ shop, page }) => {
      await openCounter(page, shop, STAFF.manager, '/equipos');
      await page.getByRole('button', { name: 'Dar de alta un equipo' }).click();
      await page.getByLabel('Cómo le dicen').fill('Caja 3');
      await page.getByRole('button', { name: 'Mostrar código' }).click();
      await page.getByRole('img', { name: 'Código QR', exact: false }).waitFor();
    },
  },
  {
    name: 'counter: the shop’s rules',
    open: async ({ shop, page }) => {
      await openCounter(page, shop, STAFF.cashier, '/reglas');
      await page.getByText('Con tarjeta en línea').waitFor();
    },
  },
  {
    name: 'counter: one’s own account',
    open: async ({ shop, page }) => {
      await openCounter(page, shop, STAFF.owner, '/mi-cuenta');
      await page.getByText('Esta sesión').waitFor();
      await page.getByLabel('Compra nueva').waitFor();
    },
  },
  {
    name: 'counter: one’s own emails of the shop, a choice that was not saved',
    open: async ({ shop, page }) => {
      await openCounter(page, shop, STAFF.owner, '/mi-cuenta');
      await page.getByLabel('Compra nueva').waitFor();
      await page.route('**/v1/counter/mails', (route) =>
        route.fulfill({ status: 200, contentType: 'application/json', body: '{}' }),
      );
      await page.getByLabel('Compra nueva').check();
      await page.getByRole('alert').waitFor();
      await page.getByRole('heading', { name: 'Correos de tu tienda' }).scrollIntoViewIfNeeded();
    },
  },
  {
    name: 'counter: one’s own passkeys, the last of which is asked for',
    open: async ({ shop, page }) => {
      await addAuthenticator(page);
      await openCounter(page, shop, STAFF.manager, '/mi-cuenta');
      await page.getByRole('button', { name: 'Agregar llave de acceso' }).click();
      await page.getByText('quedó agregada', { exact: false }).waitFor();
      await page.route('**/remove', (route) =>
        route.fulfill({
          status: 409,
          json: { isSuccess: false, code: 'LAST_PASSKEY', message: '', data: null },
        }),
      );
      await page
        .getByRole('button', { name: /^Quitar / })
        .last()
        .click();
      await page.getByRole('button', { name: /^Quitar «/ }).click();
      await page.getByText('Es tu única llave', { exact: false }).waitFor();
    },
  },
  {
    name: 'counter: an owner without the passkey that the shop asks for',
    open: async ({ shop, page }) => {
      await addAuthenticator(page);
      await openCounter(page, shop, STAFF.owner);
      await page.evaluate(() => {
        const session = JSON.parse(localStorage.getItem('mostrador.session') ?? '');
        localStorage.setItem('mostrador.session', JSON.stringify({ ...session, needsPasskey: true }));
      });
      await page.reload();
      await page.getByRole('button', { name: 'Entrar con mi llave' }).click();
      await page.getByText('No se usó ninguna llave', { exact: false }).waitFor();
    },
  },
  {
    name: 'counter: a shared device, whose names',
    open: async ({ shop, page }) => {
      await enrol(shop, page);
      await page.getByRole('button', { name: /Laura P\./ }).waitFor();
    },
  },
  {
    name: 'counter: a shared device, choosing a PIN',
    open: async ({ shop, page }) => {
      await enrol(shop, page);
      await page.getByRole('button', { name: /Rosa M\./ }).click();
      await page.getByLabel('NIP nuevo').waitFor();
    },
  },
  {
    name: 'counter: a shared device, a wrong PIN',
    open: async ({ shop, page }) => {
      const token = await tokenOf(shop, STAFF.cashier);
      const body = { password: DEMO_PASSWORD, pin: '482913' };
      await shop.ask('POST /v1/counter/pin', { token, body });
      await enrol(shop, page);
      await page.getByRole('button', { name: /Laura P\./ }).click();
      await page.keyboard.type('300481');
      await page.getByText('Intentos que te quedan: 4', { exact: false }).waitFor();
      await page.keyboard.type('300');
    },
  },
  {
    name: 'counter: the morning',
    open: async ({ shop, page }) => {
      await openCounter(page, shop, STAFF.owner, '/hoy');
      await page.getByRole('region', { name: 'Saldo por antigüedad' }).waitFor();
    },
  },
  {
    name: 'counter: what was collected in a month, by day, and too many days',
    open: async ({ shop, page }) => {
      await openCounter(page, shop, STAFF.owner, '/hoy');
      const dayBefore = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);
      await page.goto(`${shop.origin}/mostrador/hoy/cobrado?desde=${dayBefore(30)}&hasta=${dayBefore(1)}`);
      await page.getByText('Por día').click();
      await page.getByLabel('Desde').fill('2020-01-01');
      await page.getByRole('button', { name: 'Ver estos días' }).click();
      await page.getByText('Elige hasta 400 días', { exact: false }).waitFor();
      await page.getByRole('main').getByRole('list').first().waitFor();
    },
  },
  {
    name: 'counter: what was given back in a month, and is owed',
    open: async ({ shop, page }) => {
      const refund = {
        at: '2026-11-20T18:00:00.000Z',
        owedAt: '2026-11-18T18:00:00.000Z',
        folio: 'A7K299310Z',
        cause: 'cancel',
        endedBy: 'buyer',
        buyer: 'Marisol R.',
        payerName: null,
        productName: 'Lavadora',
        purchaseId: 1,
      };
      const done = {
        ...refund,
        id: 1,
        last4: null,
        method: 'cash',
        state: 'done',
        amount: 600,
        paidBy: 'merchant',
      };
      const owed = {
        ...refund,
        id: 2,
        last4: null,
        method: 'card',
        state: 'owed',
        amount: 615,
        paidBy: null,
      };
      await page.route('**/v1/counter/refunds/by-day?*', async (route) => {
        const answer = await route.fetch();
        const refunds = [
          { ...done, handedOverBy: 'Rosa Luna', branch: 'Centro' },
          { ...owed, handedOverBy: null, branch: null },
        ];
        const sums = { done: { amount: 600, count: 1 }, open: { amount: 615, count: 1 } };
        await route.fulfill({
          response: answer,
          json: { ...(await answer.json()), data: { refunds, next: null, sums } },
        });
      });
      await openCounter(page, shop, STAFF.owner, '/hoy');
      await page.goto(`${shop.origin}/mostrador/hoy/devuelto?desde=2026-11-01&hasta=2026-11-30`);
      await page.getByText('Se debe desde estos días', { exact: false }).waitFor();
    },
  },
  {
    name: 'counter: a month of paid instalments and their invoices',
    open: async ({ shop, page }) => {
      await openCounter(page, shop, STAFF.owner, '/facturas');
      await page.getByText('Sin cargos por servicio', { exact: false }).waitFor();
    },
  },
  {
    name: 'counter: invoices in every state',
    open: async ({ shop, page }) => {
      await page.route('**/v1/counter/invoices?*', async (route) => {
        const answer = await route.fetch();
        const instalments = INVOICED.map((each, at) => ({ ...PAID, id: at + 1, ...each }));
        const figure = (count: number) => ({ amount: count * 1_200, count });
        const sums = {
          all: figure(8),
          invoiced: figure(2),
          in_process: figure(2),
          not_invoiced: figure(3),
          ended: figure(1),
        };
        await route.fulfill({
          response: answer,
          json: { ...(await answer.json()), data: { instalments, next: '8', sums } },
        });
      });
      await openCounter(page, shop, STAFF.owner, '/facturas?mes=2026-10&ver=todas');
      await page.getByText('CFDI40143', { exact: false }).waitFor();
    },
  },
  {
    name: 'counter: what the operator noted of deposits and payouts',
    open: async ({ shop, page }) => {
      await page.route('**/v1/counter/settlements', (route) =>
        answer(route, [
          {
            ...SETTLED,
            id: 9,
            kind: 'payout',
            channel: null,
            chain: null,
            from: null,
            to: null,
            commission: 0,
          },
          { ...SETTLED, missing: 10 },
        ]),
      );
      await openCounter(page, shop, STAFF.owner, '/facturas/liquidaciones');
      await page.getByText('por explicar', { exact: false }).waitFor();
    },
  },
  {
    name: 'counter: cash that waits for its buyer',
    open: async ({ shop, page }) => {
      const owed = { since: '2026-11-20T18:00:00.000Z', folio: 'A7K299310Z', buyer: 'Marisol R.' };
      await page.route('**/v1/counter/refunds', async (route) => {
        const answer = await route.fetch();
        const ofHelper = {
          ...owed,
          id: 1,
          amount: 600,
          payerName: 'Marta T.',
          productName: 'Lavadora',
          purchaseId: 1,
        };
        const ofNone = { ...owed, id: 2, amount: 500, payerName: null, productName: '', purchaseId: null };
        await route.fulfill({
          response: answer,
          json: { ...(await answer.json()), data: [ofHelper, ofNone] },
        });
      });
      await openCounter(page, shop, STAFF.owner, '/hoy/devoluciones');
      await page.getByRole('button', { name: 'Entregar $500.00 en efectivo' }).waitFor();
    },
  },
  {
    name: 'counter: purchases',
    open: async ({ shop, page }) => {
      await openCounter(page, shop, STAFF.manager);
      await page.getByRole('link', { name: 'Compras' }).click();
      await page.getByRole('link', { name: 'Vencidas' }).click();
      await page
        .getByRole('link', { name: /Compra \d+/ })
        .first()
        .waitFor();
    },
  },
  {
    name: 'counter: purchases to hand over, since when',
    open: async ({ shop, page, buyer }) => {
      await readyToHandOver(shop, buyer);
      await openCounter(page, shop, STAFF.owner, '/compras?ver=por-entregar');
      await page.getByText('Por entregar desde el', { exact: false }).first().waitFor();
    },
  },
  {
    name: 'counter: a late purchase, and the message to its buyer',
    open: async ({ shop, page }) => {
      await openCounter(page, shop, STAFF.manager);
      await page.getByRole('link', { name: 'Compras' }).click();
      await page.getByRole('link', { name: 'Vencidas' }).click();
      await page
        .getByRole('link', { name: /Compra \d+/ })
        .first()
        .click();
      await page.getByRole('button', { name: 'Escribir por WhatsApp' }).click();
      await page.getByLabel('Mensaje').waitFor();
    },
  },
  {
    name: 'counter: late purchases, one of which its buyer was warned of',
    open: async ({ shop, page, buyer }) => {
      await warnedOf(shop, buyer);
      await openCounter(page, shop, STAFF.manager, '/compras?ver=vencidas');
      await page.getByText('1 aviso enviado', { exact: false }).first().waitFor();
    },
  },
  {
    name: 'counter: more time for a late purchase',
    open: async ({ shop, page, buyer }) => {
      const { purchaseId } = await warnedOf(shop, buyer);
      await openCounter(page, shop, STAFF.manager, `/compras/${purchaseId}`);
      await page.getByText(/^Termina sola el .+ por atraso$/).waitFor();
      await page.getByRole('button', { name: 'Dar más tiempo' }).click();
      await page.getByLabel('Cuántos días más').fill('90');
      await page.getByRole('button', { name: 'Dar más tiempo' }).last().click();
      await page.getByText('Escribe de 1 a 60 días.').waitFor();
    },
  },
  {
    name: 'counter: a purchase that its rule ended',
    open: async ({ shop, page, buyer }) => {
      const { purchaseId } = await endedByRule(shop, buyer);
      await openCounter(page, shop, STAFF.owner, `/compras/${purchaseId}`);
      await page.getByText(/Terminó por atraso el /).waitFor();
    },
  },
  {
    name: 'counter: a claim to answer',
    open: async ({ shop, page, buyer }) => {
      const { purchaseId } = await claimed(shop, buyer);
      await openCounter(page, shop, STAFF.owner, `/compras/${purchaseId}`);
      await page.getByRole('button', { name: 'Contestar' }).click();
      await page.getByText('Escribe tu respuesta.').waitFor();
    },
  },
  {
    name: 'counter: what goes back of a plan that the shop ends, without a reason',
    open: async ({ shop, page }) => {
      await openStory(page, shop);
      await page.getByRole('button', { name: 'No podemos entregarlo' }).click();
      await page.getByRole('button', { name: /^Terminar y devolver/ }).click();
      await page.getByText('Escribe el motivo.').waitFor();
    },
  },
  {
    name: 'counter: handing cash back, without an answer',
    open: async ({ shop, page, buyer }) => {
      const [deposit] = await shop.newPurchase(buyer);
      const token = await tokenOf(shop, STAFF.owner);
      const path = `/v1/counter/purchases/${deposit?.ventaId}`;
      const quote = await shop.ask(`GET ${path}/end-quote`, { token });
      await asOwner(shop, `POST ${path}/end`, {
        reason: 'La pieza llegó rota',
        refundShown: quote.body.data.refund,
      });
      await page.route('**/v1/counter/refunds/*/pay', (route) => route.abort('blockedbyclient'));
      await openCounter(page, shop, STAFF.manager, `/compras/${deposit?.ventaId}`);
      await page.getByRole('button', { name: 'Entregar $600.00 en efectivo' }).click();
      const sheet = page.getByRole('dialog');
      await sheet.getByRole('button', { name: 'Entregar $600.00' }).click();
      await sheet.getByRole('alert').waitFor();
    },
  },
  {
    name: 'counter: a plan that the shop ended',
    open: async ({ shop, page }) => {
      await page.route('**/v1/counter/purchases/*', async (route) => {
        const answer = await route.fetch();
        const body = await answer.json();
        const ended = { state: 'cancelled', balance: 0, endedBy: 'merchant', mayEnd: false, ending: null };
        const why = { cancelledAt: '2026-11-20T18:00:00.000Z', cancelNotes: 'La pieza llegó rota' };
        await route.fulfill({
          response: answer,
          json: { ...body, data: { ...body.data, ...ended, ...why } },
        });
      });
      await openStory(page, shop);
      await page.getByText('Motivo: La pieza llegó rota').waitFor();
    },
  },
  {
    name: 'counter: addresses of the shop’s system',
    open: async ({ shop, page }) => {
      await answerWebhooks(page, [
        WEBHOOK,
        { ...WEBHOOK, state: 'failing', waiting: 12 },
        { ...WEBHOOK, state: 'off' },
        DEAD,
      ]);
      await openCounter(page, shop, STAFF.owner, '/avisos');
      await page.getByText('12 avisos en espera', { exact: false }).waitFor();
    },
  },
  {
    name: 'counter: an address that is there already',
    open: async ({ shop, page }) => {
      await answerWebhooks(page, []);
      await page.route('**/v1/counter/webhooks', (route) =>
        route.request().method() === 'GET'
          ? route.fallback()
          : route.fulfill({
              status: 422,
              json: {
                isSuccess: false,
                code: 'INVALID_INPUT',
                message: '',
                data: null,
                fields: { url: 'already there' },
              },
            }),
      );
      await addAddress(shop, page);
      await page.getByText('Ya está encendida', { exact: false }).waitFor();
    },
  },
  {
    name: 'counter: the secret of an address, this once',
    open: async ({ shop, page }) => {
      await answerWebhooks(page, []);
      await page.route('**/v1/counter/webhooks', (route) =>
        route.request().method() === 'GET'
          ? route.fallback()
          : answer(route, { id: WEBHOOK.id, secret: `whsec_${'MfKQ9r8GKYqrTwjU'.repeat(3)}` }),
      );
      await addAddress(shop, page);
      await page.getByRole('button', { name: 'Copiar' }).waitFor();
    },
  },
  {
    name: 'counter: what an address was sent, and another secret for it',
    open: async ({ shop, page }) => {
      await answerWebhooks(page, [
        { ...WEBHOOK, state: 'failing', waiting: 1, bothUntil: '2026-11-24T15:00:00.000Z' },
      ]);
      await openCounter(page, shop, STAFF.owner, `/avisos/${WEBHOOK.id}`);
      await page.getByRole('button', { name: 'Cambiar la clave' }).click();
      await page.getByText('No entregado').waitFor();
    },
  },
  {
    name: 'counter: an address that died',
    open: async ({ shop, page }) => {
      await answerWebhooks(page, [DEAD]);
      await openCounter(page, shop, STAFF.owner, `/avisos/${DEAD.id}`);
      await page.getByText('No entregado').waitFor();
    },
  },
];

const PAID = {
  purchaseId: 10004,
  productName: 'Lavadora de carga frontal con un nombre que no cabe en un renglón',
  buyer: 'Marisol R.',
  number: 2,
  of: 12,
  paidAt: '2026-10-20T18:00:00.000Z',
  receiptFolio: 'A7K299310Z',
  amount: 1_200,
  paymentForm: '28',
  group: 'invoiced',
  asking: null,
  until: null,
  invoice: null,
};
const ISSUED = {
  id: 3001,
  state: 'issued',
  rfc: 'MISC491214B86',
  fiscalFolio: 'C1A7E4F0-6A5E-4F0D-9B4F-0D8A8F3F2B77',
  folio: 'A118',
  issuedAt: '2026-10-20T18:01:00.000Z',
  reason: '',
  hasPdf: true,
  hasXml: true,
};
const NOT_ISSUED = { ...ISSUED, fiscalFolio: null, folio: '', issuedAt: null, hasPdf: false, hasXml: false };
const OPEN = { group: 'not_invoiced', asking: 'open', until: '2026-11-17' };
/** Invoices that were cancelled and asked for anew; of one the provider kept no number. */
const BEFORE = { fiscalFolio: ISSUED.fiscalFolio, hasPdf: true, hasXml: true };
const INVOICED = [
  { invoice: ISSUED, cancelled: [{ ...BEFORE, id: 101, folio: 'A101' }] },
  OPEN,
  {
    ...OPEN,
    invoice: {
      ...NOT_ISSUED,
      state: 'refused',
      reason: 'CFDI40143: el RFC del receptor no está entre los inscritos',
    },
  },
  { group: 'in_process', invoice: { ...NOT_ISSUED, state: 'in_process' } },
  { group: 'in_process', invoice: { ...NOT_ISSUED, state: 'review' } },
  { invoice: { ...ISSUED, state: 'credited' } },
  { ...OPEN, asking: 'over', invoice: { ...ISSUED, state: 'cancelled', hasPdf: false, hasXml: false } },
  { group: 'ended', cancelled: [{ ...BEFORE, id: 102, folio: '', hasPdf: false }] },
];

const SETTLED = {
  id: 7,
  kind: 'deposit',
  channel: 'till',
  chain: 'CAJA-DEMO',
  from: '2026-11-20',
  to: '2026-11-22',
  party: 'merchant',
  amount: 1_176.8,
  commission: 23.2,
  missing: 0,
  over: 0,
  happenedOn: '2026-11-23',
  evidence: 'SPEI 8846',
  voided: false,
  ofId: null,
};

const WEBHOOK = {
  id: '6f2f6c0e-2a52-4f0a-9d0b-0c6d8a5f1e11',
  url: 'https://pos.elektra-de-la-condesa.example/aparta/avisos?sucursal=7',
  state: 'on',
  since: '2026-11-20T16:15:00.000Z',
  bothUntil: null as string | null,
  waiting: 0,
};
const DEAD = { ...WEBHOOK, state: 'dead', waiting: 3 };

const answer = (
  route: Parameters<Parameters<Stage['page']['route']>[1]>[0],
  data: unknown,
  more: object = {},
) => route.fulfill({ json: { isSuccess: true, message: '', data, ...more } });

/** Answers for a receiver that nobody runs here. */
async function answerWebhooks(page: Stage['page'], webhooks: readonly (typeof WEBHOOK)[]): Promise<void> {
  const sent = (sequence: number, type: string, outcome: string, tries: number, problem: string | null) => ({
    id: `6f2f6c0e-2a52-4f0a-9d0b-0c6d8a5f1e2${sequence}`,
    sequence,
    type,
    createdAt: '2026-11-22T18:30:00.000Z',
    outcome,
    tries,
    problem,
  });
  await page.route('**/v1/counter/webhooks', (route) => answer(route, webhooks));
  await page.route('**/v1/counter/webhooks/*/deliveries*', (route) =>
    answer(
      route,
      [
        sent(5, 'purchase.cancelled', 'waiting', 0, null),
        sent(4, 'purchase.paid_off', 'waiting', 3, '500'),
        sent(3, 'payment.taken', 'given_up', 13, 'DEPTH_ZERO_SELF_SIGNED_CERT'),
        sent(2, 'payment.reversed', 'delivered', 2, null),
        sent(1, 'payment.taken', 'delivered', 1, null),
      ],
      { next: '1', total: 25 },
    ),
  );
}

async function addAddress(shop: Stage['shop'], page: Stage['page']): Promise<void> {
  await openCounter(page, shop, STAFF.owner, '/avisos');
  await page.getByRole('button', { name: 'Agregar una dirección' }).click();
  await page.getByLabel('Dirección', { exact: true }).fill(WEBHOOK.url);
  await page.getByRole('button', { name: 'Agregar', exact: true }).click();
}

/** No buyer is signed in there. */
export const COUNTER_SCREENS = screens.map((screen): Screen => ({ ...screen, signedInAs: 'nobody' }));

type Stage = Parameters<Screen['open']>[0];

const localPart = (link: string) => new URL(link).pathname + new URL(link).hash;

async function asOwner(shop: Stage['shop'], call: string, body: unknown) {
  return (await shop.ask(call, { token: await tokenOf(shop, STAFF.owner), body })).body.data;
}

/** A product of the owner's. */
async function newProduct(shop: Stage['shop']) {
  const body = { pressId: crypto.randomUUID(), name: 'Mecedora de mimbre', price: 2000 };
  return asOwner(shop, 'POST /v1/counter/products', body);
}

async function choosePhoto(page: Page, mimeType: string, buffer: Buffer): Promise<void> {
  await page.getByRole('button', { name: 'Agregar foto' }).waitFor();
  await page.locator('input[type=file]').setInputFiles({ name: 'foto', mimeType, buffer });
}

/** A chair on a floor, as a telephone would take it. */
function photo(): Promise<Buffer> {
  const drawing = `<svg xmlns="http://www.w3.org/2000/svg" width="1600" height="1200"><rect width="1600" height="1200" fill="#e8dfd2"/>
    <rect y="900" width="1600" height="300" fill="#a97e55"/><path d="M600 250h400v400h60v350h-60V760H660v240h-60z" fill="#5b3a1e"/></svg>`;
  return sharp(Buffer.from(drawing)).jpeg().toBuffer();
}

/** Makes the page's browser a shared device of the first branch. */
async function enrol(shop: Stage['shop'], page: Stage['page']): Promise<void> {
  const token = await tokenOf(shop, STAFF.cashier);
  const [{ id: branchId }] = (await shop.ask('GET /v1/counter/branches', { token })).body.data;
  const { link } = await asOwner(shop, 'POST /v1/counter/devices/enrolments', { branchId, name: 'Azul' });
  await page.goto(shop.origin + localPart(link));
  await page.getByRole('button', { name: 'Dar de alta' }).click();
}

/** The story of a late purchase. */
async function openStory(page: Page, shop: Stage['shop']): Promise<void> {
  await openCounter(page, shop, STAFF.owner, '/compras');
  await page.getByRole('link', { name: 'Vencidas' }).click();
  const lines = page.getByRole('link', { name: /Compra \d+/ });
  await lines.first().click();
}

async function takeDeposit({ shop, page, buyer }: Stage): Promise<void> {
  await openCounter(page, shop, STAFF.manager);
  await find(page, (await shop.newReference(buyer)).paymentReference);
  await page.getByLabel('Recibes').fill('1000');
  await page.getByRole('button', { name: /^Cobrar \$/ }).click();
  await page.getByText('Cambio que entregas').waitFor();
}

/** Its buyer cancels what they have just paid. */
async function cancelPaid({ shop, buyer }: Stage): Promise<void> {
  const [purchase] = await shop.query<{ id: number }>(
    'select id from purchases where buyer_id = $1 order by id desc limit 1',
    [buyer.id],
  );
  const given = { token: buyer.token, body: {} };
  await shop.ask(`PUT /v1/Sales/UpdateCancelByBuyerAsync/${purchase?.id}`, given);
}

/** The number of an instalment that the demo buyer pays late. */
async function lateNumber(shop: Stage['shop']): Promise<string> {
  const [row] = await shop.query<{ reference: string }>(
    `select r.reference from instalments i join payment_references r on r.id = i.id
       join purchases p on p.id = i.purchase_id join products on products.id = p.product_id
       where products.sku = 'LB-REF-14' and i.paid_centavos < i.amount_centavos order by i.number limit 1`,
  );
  return row?.reference ?? '';
}
