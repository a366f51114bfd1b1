/**
 * Writes `apps/server/src/search/attribute-names.ts` from the conventions that Sentry publishes:
 *
 *   npm pack @sentry/conventions && tar xf sentry-conventions-*.tgz
 *   node tools/attribute-names.mjs package
 *
 * Run it again when a new version renames attributes. The package is not needed otherwise, so it is no dependency.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

const folder = resolve(process.argv[2] ?? '')
const { version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
const { ATTRIBUTE_METADATA } = createRequire(import.meta.url)(join(folder, 'dist', 'attributes.cjs'))

const TYPES = { string: 'string', integer: 'integer', double: 'number', boolean: 'boolean', 'string[]': 'list' }

const done = new Set()
const lines = []
for (const name of Object.keys(ATTRIBUTE_METADATA).toSorted()) {
  const { type, deprecation, keys = [] } = ATTRIBUTE_METADATA[name]
  // `<key>` stands for any name: no attribute is called that. Today's name of a group leads it.
  if (done.has(name) || name.includes('<')) continue
  if (deprecation?.replacement !== undefined && ATTRIBUTE_METADATA[deprecation.replacement] !== undefined) continue
  const names = [name, ...keys.filter((key) => key !== name && !key.includes('<') && !done.has(key))]
  for (const one of names) done.add(one)
  lines.push(`${TYPES[type]} ${names.join(' ')}`)
}

const page = `/**
 * Names of attributes that mean the same, today's name first, and the type of their values: of @sentry/conventions
 * ${version} (${license}).
 *
 * Written by tools/attribute-names.mjs; do not edit.
 */
export const ATTRIBUTE_NAMES = \`
${lines.join('\n')}
\`
`
const root = join(dirname(fileURLToPath(import.meta.url)), '..')
writeFileSync(join(root, 'apps/server/src/search/attribute-names.ts'), page)
