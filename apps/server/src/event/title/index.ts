export { createEventTitle, type TitleHints } from './event-title.ts'
