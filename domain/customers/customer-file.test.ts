import { expect, test } from 'vitest';
import { csvLine } from '../csv/write-csv.ts';
import { customerCells, customerHeadings } from './customer-file.ts';

test('a customer is one line that a spreadsheet reads as it is meant, whatever people call themselves', () => {
  const row = [
    '=HYPERLINK("x")',
    'meera@example.in',
    '+919820012345',
    '007',
    '12 MG Road',
    'Kochi',
    'Kerala',
    '682001',
  ];
  const rest = [3, '4250.50', '2026-11-02', '2025-01-09', 'bulk, regular', 'no'];
  const cells = customerCells([...row, ...rest]);
  expect(cells).toHaveLength(customerHeadings.length);
  expect(csvLine(cells)).toBe(
    `"'=HYPERLINK(""x"")",meera@example.in,98200 12345,'007,12 MG Road,Kochi,Kerala,682001,3,4250.50,2026-11-02,2025-01-09,"bulk, regular",no\r\n`,
  );
});
