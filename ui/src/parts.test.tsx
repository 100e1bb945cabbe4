import { centavos } from '@aparta/domain/money';
import { screen, within } from '@testing-library/react';
import { useState } from 'react';
import { expect, test, vi } from 'vitest';
import { show } from './testing/show.tsx';
import { useAlert } from './alert.tsx';
import { Amount } from './amount.tsx';
import { LineItems } from './line-items.tsx';
import { Button } from './button.tsx';
import { code128, QUIET_MODULES } from './code128.ts';
import { Code } from './code.tsx';
import { CopyField } from './copy-field.tsx';
import { Sheet } from './dialog.tsx';
import { Field, PasswordField } from './field.tsx';
import { News } from './news.tsx';
import { Progress } from './progress.tsx';
import { Steps } from './steps.tsx';

test.each([
  [120_000, '$1,200.00', '1,200 pesos'],
  [171_480, '$1,714.80', '1,714 pesos con 80 centavos'],
  [100, '$1.00', '1 peso'],
  [1, '$0.01', '0 pesos con 1 centavo'],
])('%i centavos are seen as %s and heard as %s', (amount, seen, heard) => {
  show(<Amount of={centavos(amount)} />);
  expect(screen.getByText(seen).getAttribute('aria-hidden')).toBe('true');
  expect(screen.getByText(heard)).toBeTruthy();
});

test('a busy button keeps focus and lets no second payment through', async () => {
  const pay = vi.fn<() => void>();
  const submit = vi.fn<(event: React.FormEvent) => void>((event) => event.preventDefault());
  const form = (busy?: string) => (
    <form onSubmit={submit}>
      <Button type="submit" variant="primary" busy={busy} onClick={pay}>
        Pagar $615.00
      </Button>
    </form>
  );
  const { user } = show(form('Pagando…'));
  const button = screen.getByRole('button');
  button.focus();
  await user.keyboard('{Enter}');
  await user.click(button);
  expect(pay).not.toHaveBeenCalled();
  expect(submit).not.toHaveBeenCalled();
  expect(document.activeElement).toBe(button);
  expect(button.getAttribute('aria-busy')).toBe('true');
});

test('a wrong field is described by what is wrong and how to mend it', () => {
  show(<Field label="Código postal" name="zip" hint="Cinco números" error="Falta un número." />);
  const field = screen.getByRole('textbox', {
    name: 'Código postal',
    description: 'Cinco números Falta un número.',
  });
  expect(field.getAttribute('aria-invalid')).toBe('true');
});

test('a password is shown and hidden without losing what was typed', async () => {
  const { user } = show(<PasswordField label="Password" name="p" autoComplete="current-password" />);
  const field = screen.getByLabelText('Password');
  await user.type(field, 'clave');
  await user.click(screen.getByRole('button', { name: 'Mostrar lo escrito' }));
  expect(field).toHaveProperty('type', 'text');
  await user.click(screen.getByRole('button', { name: 'Ocultar lo escrito' }));
  expect(field).toHaveProperty('type', 'password');
  expect(field).toHaveProperty('value', 'clave');
});

test('progress says how many are paid, in words', () => {
  show(<Progress segments={['paid', 'paid', 'late']} />);
  expect(screen.getByRole('progressbar').getAttribute('aria-valuetext')).toBe('Pagados 2 de 3');
});

test('the steps say where the buyer is', () => {
  show(<Steps names={['Referencia', 'Información', 'Pago']} current={2} />);
  expect(screen.getByRole('list', { name: 'Paso 2 de 3' })).toBeTruthy();
  expect(screen.getByText('Información').closest('li')?.getAttribute('aria-current')).toBe('step');
});

test('a bill names each sum and its total', () => {
  show(
    <LineItems
      rows={[
        { label: 'Apartado', amount: centavos(60_000) },
        { label: 'Cargo por servicio', amount: centavos(1_500) },
      ]}
      total={{ label: 'Monto total', amount: centavos(61_500) }}
    />,
  );
  const total = screen.getByText('Monto total').parentElement as HTMLElement;
  expect(within(total).getByText('$615.00')).toBeTruthy();
});

test('a reference is seen in groups of four, heard digit by digit, and copied whole', async () => {
  const { user } = show(<Code label="Referencia" reference="11000048213" />);
  const [seen, heard] = screen.getByRole('group', { name: 'Referencia' }).children;
  expect([seen?.getAttribute('aria-hidden'), seen?.textContent]).toEqual(['true', '1100 0048 213']);
  // As a reader passes it in a text: a paragraph that itself bears a name is read as that name alone.
  expect([heard?.role, heard?.textContent]).toEqual([null, '1 1 0 0, 0 0 4 8, 2 1 3']);
  await user.click(screen.getByRole('button', { name: 'Copiar' }));
  expect(await navigator.clipboard.readText()).toBe('11000048213');
  expect(screen.getByRole('status').textContent).toBe('Copiado');
});

test('news that came with a screen become an alert once it stands, as browsers announce no other', async () => {
  show(
    <News>
      <p>No salió dinero de tu cuenta</p>
    </News>,
  );
  expect(screen.queryByRole('alert')).toBeNull();
  expect((await screen.findByRole('alert')).textContent).toBe('No salió dinero de tu cuenta');
});

test('a long text that was copied is said to be, beside its button', async () => {
  const { user } = show(<CopyField label="Enlace" value="https://aparta.example/x" />);
  await user.click(screen.getByRole('button', { name: 'Copiar' }));
  expect(await navigator.clipboard.readText()).toBe('https://aparta.example/x');
  expect(screen.getByRole('status').textContent).toBe('Copiado');
});

test('a bar code has its quiet zones and refuses what it cannot carry', () => {
  const { modules, bars } = code128('11000048213');
  expect(bars[0]).toEqual({ x: QUIET_MODULES, width: 2 });
  const last = bars.at(-1) as { x: number; width: number };
  expect(last.x + last.width).toBe(modules - QUIET_MODULES);
  expect(() => code128('')).toThrow(RangeError);
  expect(() => code128('ñ')).toThrow(RangeError);
});

function Opener() {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button onClick={() => setOpen(true)}>Abrir</Button>
      {open && (
        <Sheet title="Realizar pago" onClose={() => setOpen(false)}>
          <p>Elige</p>
        </Sheet>
      )}
    </>
  );
}

test('a sheet closes by its cross and by Esc, and gives focus back', async () => {
  const { user } = show(<Opener />);
  const opener = screen.getByRole('button', { name: 'Abrir' });
  await user.click(opener);
  expect(document.activeElement, 'what opened is heard').toBe(
    screen.getByRole('dialog', { name: 'Realizar pago' }),
  );
  await user.click(screen.getByRole('button', { name: 'Cerrar' }));
  expect(screen.queryByRole('dialog')).toBeNull();
  expect(document.activeElement).toBe(opener);
  await user.click(opener);
  // The browser turns Esc into this event.
  screen
    .getByRole('dialog', { name: 'Realizar pago' })
    .dispatchEvent(new Event('cancel', { cancelable: true }));
  await expect.poll(() => screen.queryByRole('dialog')).toBeNull();
});

/** A sheet that makes its opener go, and one of whose buttons opens a form in its place. */
function Leaver() {
  const [step, setStep] = useState<'closed' | 'asks' | 'types' | 'done'>('closed');
  return (
    <>
      <h1 tabIndex={-1}>Tu compra</h1>
      {step !== 'done' && <Button onClick={() => setStep('asks')}>Abrir</Button>}
      {(step === 'asks' || step === 'types') && (
        <Sheet title="Realizar pago" onClose={() => setStep('done')}>
          {step === 'asks' ? <Button onClick={() => setStep('types')}>Otro</Button> : <p>Escribe</p>}
        </Sheet>
      )}
    </>
  );
}

test('focus is never lost: it stays in a sheet whose button goes, and comes back to a screen whose opener went', async () => {
  const { user } = show(<Leaver />);
  await user.click(screen.getByRole('button', { name: 'Abrir' }));
  await user.click(screen.getByRole('button', { name: 'Otro' }));
  await expect
    .poll(() => document.activeElement)
    .toBe(screen.getByRole('heading', { name: 'Realizar pago' }));
  await user.click(screen.getByRole('button', { name: 'Cerrar' }));
  expect(document.activeElement).toBe(screen.getByRole('heading', { name: 'Tu compra' }));
});

function Teller({ done }: { done: () => void }) {
  const showAlert = useAlert();
  return (
    <Button
      onClick={() =>
        void showAlert({
          kind: 'error',
          title: 'Oops...',
          text: 'no es para apartar',
          footer: 'Favor de revisar',
        }).then(done)
      }
    >
      Probar
    </Button>
  );
}

test('an alert shows title, text and footer, and what follows waits until it is closed', async () => {
  const done = vi.fn<() => void>();
  const { user } = show(<Teller done={done} />);
  await user.click(screen.getByRole('button', { name: 'Probar' }));
  expect(
    screen.getByRole('alertdialog', { name: 'Oops...', description: 'no es para apartar Favor de revisar' }),
  ).toBeTruthy();
  expect(done).not.toHaveBeenCalled();
  await user.click(screen.getByRole('button', { name: 'Aceptar' }));
  expect(done).toHaveBeenCalledOnce();
  await user.click(screen.getByRole('button', { name: 'Probar' }));
  expect(document.activeElement, 'it is heard before its button').toBe(
    await screen.findByRole('alertdialog'),
  );
  await user.keyboard('{Enter}');
  await expect.poll(() => done.mock.calls.length).toBe(2);
});
