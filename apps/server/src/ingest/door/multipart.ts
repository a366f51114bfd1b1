import { err, ok, type Result } from '../../lib/result.ts'
import type { PayloadFile } from '../payload-file.ts'
import type { Limits } from './door.ts'

/** One part of a `multipart/form-data` body. */
export interface Part {
  readonly name: string
  /** Null for a text field. */
  readonly filename: string | null
  readonly contentType: string | null
  /** A view into the body; empty when it is in a file. */
  readonly data: Buffer
  readonly file?: PayloadFile
}

/** What is wrong with a body, however it is read. */
export const NO_PART = err('multipart body has no part')
export const NO_HEADER_END = err('multipart part has no end of headers')
export const NO_END = err('multipart body ends inside a part')
export const tooManyParts = (limits: Limits) => err(`multipart body has more than ${limits.MULTIPART_PARTS} parts`)

export const CRLF = '\r\n'
export const HEADER_END = Buffer.from('\r\n\r\n')

/** The boundary of a `Content-Type`, or null when it is not multipart. */
export const boundaryOf = (contentType: string | undefined): string | null => {
  if (contentType === undefined || !/^multipart\//i.test(contentType)) return null
  const match = /;\s*boundary=(?:"([^"]{1,200})"|([^\s;"]{1,200}))/i.exec(contentType)
  return match?.[1] ?? match?.[2] ?? null
}

/** Splits a whole body; the error is a sentence. */
export const parseMultipart = (body: Buffer, boundary: string, limits: Limits): Result<readonly Part[], string> => {
  const delimiter = Buffer.from(`--${boundary}`)
  const next = Buffer.from(`${CRLF}--${boundary}`)
  const parts: Part[] = []
  let position = body.indexOf(delimiter)
  if (position < 0) return NO_PART
  position += delimiter.byteLength
  for (;;) {
    if (body.toString('latin1', position, position + 2) === '--') return ok(parts)
    // Not looked for in the whole body, which may be large. A part without any header has its blank line at once.
    const lead = body.subarray(position, position + 2 * limits.MULTIPART_HEADER_BYTES)
    const start = lead.indexOf(CRLF)
    const end = start < 0 ? -1 : lead.indexOf(HEADER_END, start)
    if (end < 0 || end - start > limits.MULTIPART_HEADER_BYTES) return NO_HEADER_END
    if (parts.length >= limits.MULTIPART_PARTS) return tooManyParts(limits)
    const headerStart = position + start
    const headerEnd = position + end
    const dataStart = headerEnd + HEADER_END.byteLength
    // The line feed that closes an empty part is the one that ends its headers.
    const dataEnd = body.indexOf(next, dataStart - CRLF.length)
    if (dataEnd < 0) return NO_END
    const headers = body.toString('utf8', headerStart, headerEnd)
    const data = body.subarray(dataStart, Math.max(dataStart, dataEnd))
    parts.push({ ...readPartHeaders(headers), data })
    position = dataEnd + next.byteLength
  }
}

export const readPartHeaders = (headers: string): Omit<Part, 'data' | 'file'> => {
  let disposition = ''
  let contentType: string | null = null
  for (const line of headers.split(CRLF)) {
    const colon = line.indexOf(':')
    if (colon < 0) continue
    const name = line.slice(0, colon).trim().toLowerCase()
    const value = line.slice(colon + 1).trim()
    if (name === 'content-disposition') disposition = value
    else if (name === 'content-type') contentType = value
  }
  return { name: parameter(disposition, 'name') ?? '', filename: parameter(disposition, 'filename'), contentType }
}

const parameter = (disposition: string, name: string): string | null => {
  const match = new RegExp(`;\\s*${name}=(?:"([^"]*)"|([^\\s;"]*))`, 'i').exec(disposition)
  return match?.[1] ?? match?.[2] ?? null
}
