import { type Zippable, zipSync } from 'fflate';
import { documentFileName, type TaxDocument } from '../../../domain/documents/tax-document.ts';

type Draw = (document: TaxDocument) => Promise<Uint8Array>;

/** Draws documents one after another into a ZIP file; others are served between two of them. */
export async function zipOf(documents: TaxDocument[], draw: Draw): Promise<Uint8Array<ArrayBuffer>> {
  const files: Zippable = {};
  for (const document of documents) {
    // A PDF is packed already.
    files[documentFileName(document)] = [await draw(document), { level: 0, mtime: zipTime(document.issued_at) }];
    await new Promise((resolve) => setTimeout(resolve));
  }
  return zipSync(files) as Uint8Array<ArrayBuffer>;
}

/** ZIP knows local times only, from 1980 on; the day of the document in India. */
function zipTime(moment: string): Date {
  const at = new Date(moment.replace(' ', 'T'));
  const time = Number.isNaN(at.getTime()) ? Date.UTC(2000, 0, 1) : at.getTime();
  const india = new Date(time + 5.5 * 3_600_000);
  return new Date(india.getUTCFullYear(), india.getUTCMonth(), india.getUTCDate(), 12);
}
