export { kindOf, KINDS, type SpanKind } from './kinds.ts'
export { KindGlyph } from './KindGlyph.tsx'
