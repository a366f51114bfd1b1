export { createEventTitle, TITLE_CHARACTERS, type TitleHints } from './event-title.ts'
