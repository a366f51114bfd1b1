import { createHash, randomBytes } from 'node:crypto'

/** 192 bits: nobody finds one by trying. */
const TOKEN_BYTES = 24
const TOKEN = /^[A-Za-z0-9_-]{32}$/

/** Path of a shared replay; its token follows. */
export const SHARED_PATH = '/shared/'

export const newToken = (): string => randomBytes(TOKEN_BYTES).toString('base64url')

/** What is kept of a token: whoever reads the ledger, or a copy of it, opens nothing by it. */
export const hashOfToken = (token: string): string => createHash('sha256').update(token).digest('hex')

/** Null for what no token looks like. */
export const readToken = (text: string): string | null => (TOKEN.test(text) ? text : null)
