import { act, fireEvent, screen } from '@testing-library/react';
import { useEffect, useState } from 'react';
import { beforeEach, expect, test, vi } from 'vitest';
import { Button } from './button.tsx';
import { Check } from './check.tsx';
import { Field } from './field.tsx';
import { Select } from './other-fields.tsx';
import { Form, RefusedNotice, useSubmit, type Refusal, type Sent, type Submit, type Typed } from './form.tsx';
import { show } from './testing/show.tsx';

/** Each call waits until the test answers it. */
let calls: PromiseWithResolvers<Sent>[];
let typedThen: Typed;
let isOpenThen: () => boolean;
let form: Submit;
const refuse = vi.fn<(error: unknown) => Refusal>();
const check = vi.fn<(typed: Typed) => Refusal | undefined>();

beforeEach(() => {
  calls = [];
  check.mockReset();
  refuse.mockReset().mockReturnValue({ title: 'No se pudo' });
});

function Street() {
  const here = useSubmit({
    check,
    send(typed, isOpen) {
      typedThen = typed;
      isOpenThen = isOpen;
      const call = Promise.withResolvers<Sent>();
      calls.push(call);
      return call.promise;
    },
    refuse,
    errors: { zip: 'Ya no sirve' },
  });
  useEffect(() => {
    form = here;
  });
  return (
    <>
      <Form of={here} id="calle">
        <RefusedNotice of={here} dismissible />
        <Field {...here.field('street')} label="Calle" />
        <Field {...here.field('zip')} label="Código postal" />
        <Field name="note" label="Nota" />
        <Select name="state" label="Estado" error={here.errors.state} options={states} />
        <Check name="terms" disabled={here.busy}>
          Acepto
        </Check>
        <Button {...here.button('Guardando…')}>Guardar</Button>
      </Form>
      <Button type="submit" form="calle">
        Al pie
      </Button>
    </>
  );
}
const states = [
  { value: '', label: 'Elige' },
  { value: 'PUE', label: 'Puebla' },
];

const field = (label: string) => screen.getByLabelText<HTMLInputElement>(label);
const button = () => screen.getByRole('button', { name: /Guardar/ });
const answer = (how: (call: PromiseWithResolvers<Sent>) => void) =>
  act(async () => how(calls.at(-1) ?? Promise.withResolvers()));
const fail = (refusal: Refusal) => {
  refuse.mockReturnValue(refusal);
  return answer(({ reject }) => reject(new Error('refused')));
};

/** Typed, and submitted once. */
async function sent() {
  const shown = show(<Street />);
  await shown.user.type(field('Calle'), 'Reforma');
  await shown.user.click(button());
  return shown;
}

test('what was typed is sent as it was when submitted; what is empty, not ticked or not there is empty', async () => {
  const { user } = await sent();
  await user.type(field('Nota'), 'tarde');
  expect(['street', 'zip', 'note', 'terms', 'nothing'].map(typedThen)).toEqual(['Reforma', '', '', '', '']);
});

test('while it runs the button says so and keeps the focus; fields that must not change cannot be edited', async () => {
  await sent();
  expect(button().textContent).toContain('Guardando…');
  expect([button().getAttribute('aria-busy'), button().getAttribute('aria-disabled')]).toEqual([
    'true',
    'true',
  ]);
  expect(document.activeElement).toBe(button());
  expect(['Calle', 'Código postal', 'Nota'].map((label) => field(label).readOnly)).toEqual([
    true,
    true,
    false,
  ]);
  await fail({});
  expect([field('Calle').readOnly, button().getAttribute('aria-busy')]).toEqual([false, null]);
});

test.each<[string, (user: ReturnType<typeof show>['user']) => Promise<void>]>([
  ['Enter twice', (user) => user.type(field('Calle'), '{Enter}{Enter}')],
  ['two taps', (user) => user.dblClick(button())],
  [
    'Enter and a tap of a button outside of the form',
    async (user) => {
      await user.type(field('Calle'), '{Enter}');
      await user.click(screen.getByRole('button', { name: 'Al pie' }));
    },
  ],
  [
    'two submits before anything is drawn again',
    async () =>
      act(async () => {
        const { submit } = form;
        await Promise.race([Promise.all([submit(), submit()]), Promise.resolve()]);
      }),
  ],
  [
    'submitting again and again on a slow network',
    async (user) => {
      await user.click(button());
      for (let second = 0; second < 5; second++) fireEvent.submit(document.forms[0] ?? document);
    },
  ],
])('%s sends once', async (_what, act_) => {
  const { user } = show(<Street />);
  await act_(user);
  expect(calls).toHaveLength(1);
});

test('after a success that leads on it stays busy until the screen has gone: nothing is sent twice', async () => {
  const { user } = await sent();
  await answer(({ resolve }) => resolve('leaving'));
  expect(button().getAttribute('aria-busy')).toBe('true');
  await user.click(button());
  fireEvent.submit(document.forms[0] ?? document);
  expect(calls).toHaveLength(1);
});

test('a refusal is said at once, keeps what was typed, and is gone when dismissed or with the next submit', async () => {
  const { user } = await sent();
  await fail({ title: 'No se pudo', text: 'Revísalo.' });
  expect(screen.getByRole('alert').textContent).toContain('No se pudo Revísalo.');
  expect(field('Calle').value).toBe('Reforma');
  await user.click(screen.getByRole('button', { name: 'Cerrar aviso' }));
  expect(screen.queryByRole('alert')).toBeNull();
  await user.click(button());
  await fail({ title: 'Otra vez no' });
  expect(screen.getByRole('alert').textContent).toContain('Otra vez no');
  await user.click(button());
  expect(screen.queryByRole('alert')).toBeNull();
  expect(calls).toHaveLength(3);
});

test('what a submit returns is shown like what it throws', async () => {
  await sent();
  await answer(({ resolve }) => resolve({ title: 'Ya existe' }));
  expect(screen.getByRole('alert').textContent).toContain('Ya existe');
  expect(refuse).not.toHaveBeenCalled();
});

test('fields that the server names are marked, and the first on the screen has the focus, each time', async () => {
  const { user } = await sent();
  const refusal = { errors: { state: 'Elige uno', zip: 'Faltan números' } };
  await fail(refusal);
  expect(document.activeElement).toBe(field('Código postal'));
  expect(screen.getByRole('textbox', { description: 'Faltan números' })).toBe(field('Código postal'));
  expect(field('Estado').getAttribute('aria-invalid')).toBe('true');
  await user.click(button());
  expect(field('Código postal').getAttribute('aria-invalid')).toBeNull();
  await fail(refusal);
  expect(document.activeElement).toBe(field('Código postal'));
});

test("a field's error goes when it changes; the others stay, and the focus where it is", async () => {
  const { user } = await sent();
  await fail({ title: 'Revisa', errors: { street: 'No existe', zip: 'Faltan números', state: 'Elige uno' } });
  await user.type(field('Código postal'), '7');
  expect(screen.queryByText('Faltan números')).toBeNull();
  expect(document.activeElement).toBe(field('Código postal'));
  await user.selectOptions(field('Estado'), 'PUE');
  expect(screen.queryByText('Elige uno')).toBeNull();
  expect(screen.getByText('No existe')).toBeTruthy();
});

test('a refusal may name the field to focus, even one that cannot be used while busy', async () => {
  await sent();
  expect(field('Acepto').disabled).toBe(true);
  await fail({ title: 'Cambiaron', focus: 'terms', errors: { street: 'No existe' } });
  expect(document.activeElement).toBe(field('Acepto'));
});

test('errors to start with are marked and take no focus; more can be marked without a submit', () => {
  show(<Street />);
  expect(screen.getByText('Ya no sirve')).toBeTruthy();
  expect(document.activeElement).toBe(document.body);
  act(() => form.amend({ errors: { street: 'Ya está' } }));
  expect(screen.getByText('Ya está')).toBeTruthy();
  expect(screen.getByText('Ya no sirve')).toBeTruthy();
  expect(document.activeElement).toBe(document.body);
});

test('what can be told without asking anybody sends nothing and is never busy', async () => {
  check.mockReturnValueOnce({ errors: { street: 'Falta' } });
  const { user } = show(<Street />);
  await user.type(field('Código postal'), '1');
  fireEvent.submit(document.forms[0] ?? document);
  // In the same turn: a phone's keyboard stays open.
  expect(document.activeElement).toBe(field('Calle'));
  expect([screen.getByText('Falta') !== null, field('Calle').readOnly, calls.length]).toEqual([
    true,
    false,
    0,
  ]);
  await user.click(button());
  expect(calls).toHaveLength(1);
});

test('a refusal may be an alert, shown before the rest; only then can the form be used again', async () => {
  const { user } = await sent();
  await fail({ alert: { kind: 'error', title: 'Oops...' }, errors: { zip: 'Faltan números' } });
  expect(screen.getByRole('alertdialog', { name: 'Oops...' })).toBeTruthy();
  expect(screen.queryByText('Faltan números')).toBeNull();
  expect(button().getAttribute('aria-busy')).toBe('true');
  await user.click(screen.getByRole('button', { name: 'Aceptar' }));
  expect(await screen.findByText('Faltan números')).toBeTruthy();
  expect(document.activeElement).toBe(field('Código postal'));
  expect(button().getAttribute('aria-busy')).toBeNull();
});

test('or lead away after its alert', async () => {
  const leave = vi.fn<() => void>();
  const { user } = await sent();
  await fail({ alert: { kind: 'warning', title: 'Ya existe' }, leave });
  expect(leave).not.toHaveBeenCalled();
  await user.click(screen.getByRole('button', { name: 'Aceptar' }));
  await expect.poll(() => leave.mock.calls.length).toBe(1);
});

test('without a network it says so, keeps what was typed, and sends nothing until it is pressed again', async () => {
  refuse.mockImplementation((error) => ({
    title: error instanceof TypeError ? 'No hay conexión' : 'Otra cosa',
  }));
  const { user } = await sent();
  await answer(({ reject }) => reject(new TypeError('Failed to fetch')));
  expect(screen.getByRole('alert').textContent).toContain('No hay conexión');
  expect([field('Calle').value, field('Calle').readOnly]).toEqual(['Reforma', false]);
  await act(async () => void window.dispatchEvent(new Event('online')));
  expect(calls).toHaveLength(1);
  await user.click(button());
  expect(calls).toHaveLength(2);
  expect(typedThen('street')).toBe('Reforma');
});

test('a refusal can be tried again by something else than the button', async () => {
  await sent();
  await fail({ title: 'No se pudo' });
  await act(async () => void form.submit());
  expect([calls.length, typedThen('street')]).toEqual([2, 'Reforma']);
});

test('a step of the screen that fails itself is told, and the form can be used again', async () => {
  refuse.mockImplementation(() => {
    throw new TypeError('no such code');
  });
  show(<Street />);
  let told: Promise<unknown> | undefined;
  await act(async () => void (told = form.submit().catch((error: unknown) => error)));
  expect(button().getAttribute('aria-busy')).toBe('true');
  await answer(({ reject }) => reject(new Error('refused')));
  expect(await told).toBeInstanceOf(TypeError);
  expect(button().getAttribute('aria-busy')).toBeNull();
  await act(async () => void form.submit());
  expect(calls).toHaveLength(2);
});

test('once the form has gone nothing is submitted, and a refusal shows nothing and leads nowhere', async () => {
  const leave = vi.fn<() => void>();
  function Screen() {
    const [isOpen, setOpen] = useState(true);
    return (
      <>
        {isOpen && <Street />}
        <Button onClick={() => setOpen(false)}>Salir</Button>
      </>
    );
  }
  const { user } = show(<Screen />);
  await user.click(button());
  expect(isOpenThen()).toBe(true);
  await user.click(screen.getByRole('button', { name: 'Salir' }));
  expect(isOpenThen()).toBe(false);
  await fail({ alert: { kind: 'error', title: 'Oops...' }, leave });
  expect([screen.queryByRole('alertdialog'), leave.mock.calls.length]).toEqual([null, 0]);
  await act(() => form.submit());
  expect(calls).toHaveLength(1);
});

test('pressed before scripts have loaded it puts nothing into the address, and the browser checks nothing', () => {
  show(<Street />);
  expect([document.forms[0]?.method, document.forms[0]?.noValidate]).toEqual(['post', true]);
});
