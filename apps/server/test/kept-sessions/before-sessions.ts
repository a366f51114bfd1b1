import { CAPABILITIES } from '../../src/capabilities.ts'

/** What Firsthand could do before it counted sessions: it kept them whole. */
export const BEFORE_SESSIONS = CAPABILITIES.filter(({ name }) => name !== 'sessions')
