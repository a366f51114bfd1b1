export { type FileAddress, tableFile } from './table-file.ts'
export { ExportMenu } from './ExportMenu.tsx'
