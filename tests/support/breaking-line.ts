import { connect, createServer, type Socket } from 'node:net';

export type BreakingLine = {
  /** The database does each of these statements, when its turn comes; the answer is lost with the connection. */
  breakAfter(...statements: RegExp[]): void;
  /** This statement never reaches the database, and the connection is lost from then on. */
  breakForEverAt(statement: string): void;
  stop(): Promise<void>;
};

/** A socket that leads to the one of a PostgreSQL, for clients that send every statement in words (`prepare: false`). */
export async function startBreakingLine(socketFile: string, at: string): Promise<BreakingLine> {
  let answersLost: RegExp[] = [];
  let neverHeard: string | null = null;
  const ends = new Set<Socket>();
  const breakAll = () => {
    for (const end of ends) end.destroy();
  };
  const server = createServer((client) => {
    const database = connect(socketFile);
    let isAnswerLost = false;
    for (const end of [client, database]) {
      ends.add(end);
      end.on('error', () => {});
      end.once('close', () => {
        ends.delete(end);
        client.destroy();
        database.destroy();
      });
    }
    client.on('data', (said) => {
      if (neverHeard && said.includes(`${neverHeard}\0`)) {
        server.close();
        return breakAll();
      }
      if (answersLost[0]?.test(String(said))) {
        answersLost.shift();
        isAnswerLost = true;
      }
      database.write(said);
    });
    database.on('data', (said) => {
      if (isAnswerLost) client.destroy();
      else client.write(said);
    });
  });
  await new Promise<void>((listening) => server.listen(at, listening));
  return {
    breakAfter(...statements) {
      answersLost = statements;
    },
    breakForEverAt(statement) {
      neverHeard = statement;
    },
    async stop() {
      breakAll();
      await new Promise((closed) => server.close(closed)); // closed already: also fine
    },
  };
}
