import { Zip, ZipPassThrough } from 'fflate';
import { documentFileName, type TaxDocument } from '../../../domain/documents/tax-document.ts';
import type { DocumentPage } from './handler.ts';

type Draw = (document: TaxDocument) => Promise<Uint8Array>;

/**
 * Draws documents one after another into a ZIP file, each when whoever downloads has taken the one before: there is never
 * more than a page of them in memory, however many a month has. Others are served between two documents.
 */
export function zipOf(
  first: DocumentPage,
  read: (after: unknown) => Promise<DocumentPage>,
  draw: Draw,
  report: (problem: string, error: unknown) => void,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  let page = first;
  let place = 0;
  let zip: Zip;

  async function nextDocument(): Promise<TaxDocument | null> {
    while (place >= page.documents.length) {
      if (page.next === null || page.next === undefined) return null;
      page = await read(page.next);
      place = 0;
    }
    const document = page.documents[place] as TaxDocument;
    place += 1;
    return document;
  }

  return new ReadableStream<Uint8Array<ArrayBuffer>>({
    start(controller) {
      zip = new Zip((error, bytes, isLast) => {
        if (error) return controller.error(error);
        controller.enqueue(bytes as Uint8Array<ArrayBuffer>);
        if (isLast) controller.close();
      });
    },
    async pull(controller) {
      try {
        const document = await nextDocument();
        if (!document) return zip.end();
        // A PDF is packed already.
        const entry = new ZipPassThrough(documentFileName(document));
        entry.mtime = zipTime(document.issued_at);
        zip.add(entry);
        entry.push(await draw(document), true);
        await new Promise((resolve) => setTimeout(resolve));
      } catch (error) {
        // The head of the answer is gone; a file that breaks off is seen to be broken.
        report('a ZIP file of invoices broke off', error);
        controller.error(error);
      }
    },
  });
}

/** ZIP knows local times only, from 1980 on; the day of the document in India. */
function zipTime(moment: string): Date {
  const at = new Date(moment.replace(' ', 'T'));
  const time = Number.isNaN(at.getTime()) ? Date.UTC(2000, 0, 1) : at.getTime();
  const india = new Date(time + 5.5 * 3_600_000);
  return new Date(india.getUTCFullYear(), india.getUTCMonth(), india.getUTCDate(), 12);
}
