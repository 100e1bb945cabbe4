import { beforeEach, describe, expect, test } from 'vitest';
import { marisol } from '../../test/server.ts';
import { session } from '../session/session.ts';
import { takeIncomingLink } from './incoming-links.ts';

const REF = '1|1|1|0|3000.00|3|600.00|0';
const url = (path: string) => new URL(path, 'https://aparta.test');

beforeEach(() => {
  session.close();
  sessionStorage.clear();
  localStorage.clear();
});

describe('a link that is opened', () => {
  test("a product's QR is kept on the device and gone from the address", () => {
    expect(takeIncomingLink(url(`/?ref=${encodeURIComponent(REF)}&utm=x`))).toEqual({
      address: '/?utm=x',
    });
    expect(localStorage.getItem('refApartado')).toBe(REF);
    expect(sessionStorage.getItem('refApartado')).toBeNull();
  });

  test('signed in, the QR is in the session at once', () => {
    session.open({ ...marisol, token: 't' });
    takeIncomingLink(url(`/?ref=${encodeURIComponent(REF)}`));
    expect(sessionStorage.getItem('refApartado')).toBe(REF);
  });

  test.each(['null', '%20', '', '%3Cb%3E', '2%7C1%7C1%7C0', '1%7C1'])(
    'a QR without a readable reference ("%s") is told, and the good one that was kept stays',
    (ref) => {
      takeIncomingLink(url(`/?ref=${encodeURIComponent(REF)}`));
      expect(takeIncomingLink(url(`/?ref=${ref}`))).toEqual({
        address: '/',
        problem: expect.any(String),
      });
      expect(localStorage.getItem('refApartado')).toBe(REF);
    },
  );

  test('a reset link leads to the new password, its code and e-mail kept for this tab alone', () => {
    expect(takeIncomingLink(url('/?refChangePass=YT+iQGM=#code=s3cret'))).toEqual({
      address: '/changeyourpassword',
    });
    expect(sessionStorage.getItem('refChangePass')).toBe('YT+iQGM=');
    expect(sessionStorage.getItem('resetCode')).toBe('s3cret');
    expect(localStorage.length).toBe(0);
  });

  test('a link that confirms an e-mail keeps its code for this tab alone, gone from the address', () => {
    expect(takeIncomingLink(url('/confirmarcorreo?utm=x#code=s3cret'))).toEqual({
      address: '/confirmarCorreo',
    });
    expect(sessionStorage.getItem('confirmCode')).toBe('s3cret');
    expect(localStorage.length).toBe(0);
  });

  test('any other address is left alone', () => {
    expect(takeIncomingLink(url('/cxcList?x=1'))).toBeUndefined();
  });
});

test('signing out forgets token, user and both copies of the reference', () => {
  session.open({ ...marisol, token: 't' });
  takeIncomingLink(url(`/?ref=${encodeURIComponent(REF)}`));
  session.close();
  expect(sessionStorage.length).toBe(0);
  expect(localStorage.length).toBe(0);
});

test('an expired session clears token and user and keeps the reference', () => {
  session.open({ ...marisol, token: 't' });
  takeIncomingLink(url(`/?ref=${encodeURIComponent(REF)}`));
  session.died('/apartado');
  expect(session.user()).toBeUndefined();
  expect(sessionStorage.getItem('refApartado')).toBe(REF);
  expect(session.takeReturn()).toBe('/apartado');
  expect(session.takeReturn()).toBeUndefined();
});
