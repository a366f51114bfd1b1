import { createHash, randomUUID, timingSafeEqual } from 'node:crypto'
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** Pages as they were rendered last. Whoever serves them reads these files, and nothing else. */

export const FORMS = ['html', 'history', 'atom', 'json'] as const
export type Form = (typeof FORMS)[number]

/** What a page is shown by. */
interface Meta {
  readonly isPublic: boolean
  /** SHA-256 of the token of its private link. */
  readonly tokenHash: string
}

export type PageFiles = ReturnType<typeof createPageFiles>

const SLUG = /^[a-z0-9][a-z0-9_-]{0,49}$/

export const hashOf = (token: string): string => createHash('sha256').update(token).digest('hex')

export const createPageFiles = (dataDir: string) => {
  const folder = join(dataDir, 'status-pages')
  const put = async (name: string, text: string): Promise<void> => {
    const path = join(folder, name)
    // Whoever reads meanwhile reads the one or the other, whole.
    const written = `${path}.${randomUUID()}.new`
    await writeFile(written, text)
    await rename(written, path)
  }
  return {
    write: async (slug: string, meta: Meta, forms: Readonly<Record<Form, string>>): Promise<void> => {
      await mkdir(folder, { recursive: true })
      // First who may read it: what becomes private is not shown for a moment longer.
      await put(`${slug}.meta.json`, JSON.stringify(meta))
      for (const form of FORMS) await put(`${slug}.${form}`, forms[form])
    },
    /** Removes what belongs to none of these slugs, also what was left half written. */
    keepOnly: async (slugs: ReadonlySet<string>): Promise<void> => {
      const kept = new Set([...slugs].flatMap((slug) => ['meta.json', ...FORMS].map((name) => `${slug}.${name}`)))
      const names = await readdir(folder).catch(() => [])
      for (const name of names) if (!kept.has(name)) await rm(join(folder, name), { force: true })
    },
    /** Null when there is no such page, or it is private and the token is not its own: nobody learns which. */
    read: async (
      slug: string,
      form: Form,
      token: string,
    ): Promise<{ readonly text: string; readonly isPublic: boolean } | null> => {
      // It comes from an address.
      if (!SLUG.test(slug)) return null
      try {
        const meta = JSON.parse(await readFile(join(folder, `${slug}.meta.json`), 'utf8')) as Meta
        const given = Buffer.from(hashOf(token))
        if (!meta.isPublic && !timingSafeEqual(given, Buffer.from(meta.tokenHash))) return null
        return { text: await readFile(join(folder, `${slug}.${form}`), 'utf8'), isPublic: meta.isPublic }
      } catch {
        return null
      }
    },
  }
}
