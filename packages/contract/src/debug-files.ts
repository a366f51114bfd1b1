import { z } from './zod.ts'
import { sha1, UPLOAD_CHUNKS_MAX } from './artifacts.ts'
import { date, empty, id, paging } from './common.ts'
import { endpoint } from './endpoint.ts'

/** What makes frames of native code and of the JVM readable, in the calls of sentry-cli. */

/** Files that are asked for in one call. */
export const DEBUG_FILES_AT_ONCE = 2000

const debugId = z.string().max(64)

const debugFile = z.object({
  id,
  /** The same as `debugId`, by the name that older programs read. */
  uuid: z.string(),
  debugId: z.string().nullable(),
  codeId: z.string().nullable(),
  cpuName: z.string(),
  objectName: z.string(),
  /** `elf`, `macho`, `pe`, `pdb`, `portablepdb`, `breakpad`, `proguard` or `sourcebundle`. */
  symbolType: z.string(),
  headers: z.object({ 'Content-Type': z.string() }),
  size: z.number(),
  sha1: z.string(),
  dateCreated: date,
  data: z.object({ type: z.string(), features: z.array(z.string()) }),
  state: z.enum(['assembling', 'ok', 'error']),
  /** What is wrong with it, for `error`. */
  detail: z.string().nullable(),
})
export type DebugFileJson = z.output<typeof debugFile>

const assembledFile = z.object({
  state: z.enum(['not_found', 'created', 'assembling', 'ok', 'error']),
  missingChunks: z.array(z.string()),
  detail: z.string().nullable(),
  dif: debugFile.nullable(),
})
export type AssembledDebugFile = z.output<typeof assembledFile>

export const assembleDebugFiles = endpoint({
  method: 'POST',
  path: '/projects/{org}/{project}/files/difs/assemble/',
  body: z
    .record(
      sha1,
      z.object({
        name: z.string().min(1).max(1000),
        debug_id: debugId.nullish(),
        chunks: z.array(sha1).max(UPLOAD_CHUNKS_MAX),
      }),
    )
    .refine((files) => Object.keys(files).length <= DEBUG_FILES_AT_ONCE, {
      error: `So many files are not taken in one call; ${DEBUG_FILES_AT_ONCE} are.`,
    }),
  ok: z.record(z.string(), assembledFile),
  summary: 'Makes debug files of uploaded pieces, each by its SHA-1; says which of them are missing',
  scope: 'project:releases',
  forBuilds: true,
})

export const uploadDebugFiles = endpoint({
  method: 'POST',
  path: '/projects/{org}/{project}/files/dsyms/',
  upload: true,
  ok: z.array(debugFile),
  summary: 'Debug files in one ZIP archive, the part `file` of a form, as older programs send them',
  scope: 'project:releases',
  forBuilds: true,
})

export const listDebugFiles = endpoint({
  method: 'GET',
  path: '/projects/{org}/{project}/files/dsyms/',
  query: z.object({
    ...paging,
    /** A part of a name, or a debug or code id. */
    query: z.string().max(200).optional(),
    debug_id: z.array(debugId).max(100).optional(),
    /** The content of this one, to be saved. */
    id: z.string().max(20).optional(),
  }),
  ok: z.array(debugFile),
  summary: 'Debug files of a project, newest first; with `id`, that file to be saved',
  scope: 'project:read',
})

export const deleteDebugFile = endpoint({
  method: 'DELETE',
  path: '/projects/{org}/{project}/files/dsyms/',
  query: z.object({ id: z.string().max(20) }),
  ok: empty,
  summary: 'Deletes a debug file; one with the same id that was uploaded before counts again',
  scope: 'project:releases',
})
