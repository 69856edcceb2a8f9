/**
 * Why a request is refused, in the shape PostgREST has for it: supabase-js hands `code`, `message` and `hint` on to its
 * caller. Thrown inside the parsers, whose every function could fail, and caught in one place (gate.ts).
 */
export class Refusal extends Error {
  readonly status: number;
  readonly code: string;
  readonly hint: string | null;

  constructor(status: number, code: string, message: string, hint: string | null = null) {
    super(message);
    this.name = 'Refusal';
    this.status = status;
    this.code = code;
    this.hint = hint;
  }

  toResponse(): Response {
    const { status, code, message, hint } = this;
    return Response.json({ code, message, details: null, hint }, { status });
  }
}

/** The address cannot be read. */
export const unreadable = (message: string, hint: string | null = null) => new Refusal(400, 'PGRST100', message, hint);
export const unknownColumn = (relation: string, column: string) =>
  new Refusal(400, '42703', `column ${relation}.${shown(column)} does not exist`);
export const wrongValue = (message: string) => new Refusal(400, '22P02', message);
export const wrongBody = (message: string) => new Refusal(400, 'PGRST102', message);
export const tooMuch = (message: string) => new Refusal(400, '54000', message);

/** A name as it was sent, short enough to be repeated. */
export const shown = (name: string) => (name.length <= 64 ? name : `${name.slice(0, 64)}…`);
