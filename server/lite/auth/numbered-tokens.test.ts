import { expect, test } from 'vitest';
import { withNumberedToken } from './numbered-tokens.ts';

test('a refresh token is inserted with the next number, and the other values stay where they are', () => {
  const text = withNumberedToken('insert into "auth"."refresh_tokens" ("id", "token", "user_id") values ($1, $2, $3)');
  expect(text).toMatch(
    /^insert into "auth"\."refresh_tokens" \("id", "token", "user_id"\) values \(coalesce\(.*nextval.*\), \$2, \$3\)$/,
  );
});

test.each([
  'insert into "auth"."sessions" ("id", "user_id") values ($1, $2)',
  'update "auth"."refresh_tokens" set "revoked" = $1 where "id" in ($2)',
  'select * from "auth"."refresh_tokens" where "token" = $1',
])('%s is left as it is', (text) => {
  expect(withNumberedToken(text)).toBe(text);
});
