export { kindOf } from './kinds.ts'
export { KindGlyph } from './KindGlyph.tsx'
