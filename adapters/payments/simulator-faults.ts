import type { Background } from './simulator-background.ts';

export type ApiCall = { method: string; headers: Record<string, string>; body?: string; signal: AbortSignal };
export type ApiResponse = { status: number; type: 'application/json' | 'text/html'; body: string };

export type Fault =
  | 'hang-after-commit'
  /** Hangs without having done anything. */
  | 'timeout'
  /** Done, and then the response is a proxy's error page. */
  | 'garbage-after-commit'
  | 'garbage'
  | '409'
  | '429'
  | '500';

/** `match` is held against the method and the path with its query: 'POST /payments/pay_1/refund'. */
export type PlannedFault = { match: RegExp; fault: Fault };

/** The faults to come; each strikes once. */
export type Faults = { next: PlannedFault[] };

export function withFaults(
  faults: Faults,
  background: Background,
  hangMs: number,
  answer: (call: ApiCall, path: string) => Promise<ApiResponse>,
) {
  function take(description: string): Fault | null {
    const index = faults.next.findIndex(({ match }) => match.test(description));
    return index < 0 ? null : (faults.next.splice(index, 1)[0]?.fault ?? null);
  }

  async function responseLost({ signal }: ApiCall): Promise<ApiResponse> {
    await background.wait(hangMs, signal);
    return errorResponse(504, 'GATEWAY_ERROR', 'The gateway did not answer');
  }

  return async (call: ApiCall, path: string): Promise<ApiResponse> => {
    switch (take(`${call.method} ${path}`)) {
      case 'hang-after-commit':
        await answer(call, path);
        return responseLost(call);
      case 'timeout':
        return responseLost(call);
      case 'garbage-after-commit':
        await answer(call, path);
        return errorPage(502);
      case 'garbage':
        return errorPage(200);
      case '409':
        return errorResponse(409, 'BAD_REQUEST_ERROR', 'A request with this key is in progress');
      case '429':
        return errorResponse(429, 'BAD_REQUEST_ERROR', 'Too many requests');
      case '500':
        return errorResponse(500, 'SERVER_ERROR', 'We are facing some trouble completing your request at the moment');
      case null:
        return answer(call, path);
    }
  };
}

export function jsonResponse(body: object, status = 200): ApiResponse {
  return { status, type: 'application/json', body: JSON.stringify(body) };
}

export function errorResponse(status: number, code: string, description: string, details: object = {}): ApiResponse {
  const error = { code, description, source: 'NA', step: 'NA', reason: 'NA', metadata: {}, ...details };
  return jsonResponse({ error }, status);
}

function errorPage(status: number): ApiResponse {
  return { status, type: 'text/html', body: '<html><h1>Bad gateway</h1></html>' };
}
