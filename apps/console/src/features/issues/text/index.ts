export { VisibleText } from './VisibleText.tsx'
export { plainVisible, safeLink, textParts } from './visible-text.ts'
