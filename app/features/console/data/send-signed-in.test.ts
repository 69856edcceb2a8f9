import { expect, test } from 'vitest';
import type { AccessToken } from '#app/backend/session.tsx';
import { sendSignedIn, settleSignIn, signInAgain } from './send-signed-in.ts';

const good: AccessToken = { ok: true, token: 'good' };
const signedOut: AccessToken = { ok: false, reason: 'signed-out' };
const notRefreshed: AccessToken = { ok: false, reason: 'not-refreshed' };

function shop({ token = good, renewed = good, statuses = [200] }) {
  const sent: number[] = [];
  return {
    sent,
    send: async () => {
      const status = statuses[sent.length] ?? 200;
      sent.push(status);
      return { status };
    },
    session: { token: async () => token as AccessToken, renewToken: async () => renewed as AccessToken, signInAgain },
  };
}

test('a request with a session is sent once', async () => {
  const { send, sent, session } = shop({});
  expect(await sendSignedIn(send, session)).toEqual({ status: 200 });
  expect(sent).toEqual([200]);
});

test('a refused token is renewed without asking anybody', async () => {
  const { send, sent, session } = shop({ statuses: [401, 200] });
  expect(await sendSignedIn(send, session)).toEqual({ status: 200 });
  expect(sent).toEqual([401, 200]);
});

test('a token that is refused even when new is told, not sent for ever', async () => {
  const { send, sent, session } = shop({ statuses: [401, 401, 401] });
  expect(await sendSignedIn(send, session)).toEqual({ status: 401 });
  expect(sent).toEqual([401, 401]);
});

test.each([
  ['was ended elsewhere', { renewed: signedOut, statuses: [401, 200] }, [401, 200]],
  ['is gone already', { token: signedOut, statuses: [200] }, [200]],
])('a save whose session %s waits for the login and then goes on', async (_name, how, sends) => {
  const { send, sent, session } = shop(how as never);
  const saved = sendSignedIn(send, session);
  await new Promise((resolve) => setTimeout(resolve));
  expect(sent).toEqual(sends.slice(0, -1));
  settleSignIn(true);
  expect(await saved).toEqual({ status: 200 });
  expect(sent).toEqual(sends);
});

test('without a session nothing is sent', async () => {
  const { send, sent, session } = shop({ token: signedOut as never });
  const saved = sendSignedIn(send, session);
  await new Promise((resolve) => setTimeout(resolve));
  settleSignIn(false);
  expect(await saved).toBeNull();
  expect(sent).toEqual([]);
});

test('sign-in that does not respond is no reason to log in again', async () => {
  const { send, session } = shop({ token: notRefreshed as never });
  await expect(sendSignedIn(send, session)).rejects.toThrow('sign-in does not respond');
});
