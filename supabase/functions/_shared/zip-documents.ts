import { type Zippable, zipSync } from 'fflate';
import { documentFileName, type TaxDocument } from '../../../domain/documents/tax-document.ts';

/** A ZIP file of documents. */
export async function zipOf(documents: TaxDocument[]): Promise<Uint8Array<ArrayBuffer>> {
  return zipSync(await documentFiles(documents)) as Uint8Array<ArrayBuffer>;
}

/** Draws documents one after another, as files of a ZIP; others are served between two of them. */
export async function documentFiles(documents: TaxDocument[]): Promise<Zippable> {
  const files: Zippable = {};
  for (const document of documents) {
    // A PDF is packed already.
    files[documentFileName(document)] = [await drawn(document), { level: 0, mtime: zipTime(document.issued_at) }];
    await new Promise((resolve) => setTimeout(resolve));
  }
  return files;
}

/** The typefaces and the PDF library are loaded with the first document that is requested. */
export async function drawn(document: TaxDocument): Promise<Uint8Array<ArrayBuffer>> {
  const [{ drawSheet }, { sheetOf }] = await Promise.all([
    import('../../../adapters/pdf/draw-sheet.ts'),
    import('../../../domain/documents/sheet.ts'),
  ]);
  return drawSheet(sheetOf(document)) as Promise<Uint8Array<ArrayBuffer>>;
}

/** ZIP knows local times only, from 1980 on; the day of the moment in India. */
export function zipTime(moment: string): Date {
  const at = new Date(moment.replace(' ', 'T'));
  const time = Number.isNaN(at.getTime()) ? Date.UTC(2000, 0, 1) : at.getTime();
  const india = new Date(time + 5.5 * 3_600_000);
  return new Date(india.getUTCFullYear(), india.getUTCMonth(), india.getUTCDate(), 12);
}
