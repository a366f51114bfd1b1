/**
 * Who may import whom. Read by people first, by tools/check-deps.mjs second.
 *
 * Each area is a folder or a file (the longest match decides). `may` lists areas it may import besides itself;
 * `types` lists areas from which it may import types only; `packages` lists npm packages and built-in modules
 * ('node:*' is all of them). A path that belongs to no area is an error, and so is an import that is not listed.
 * Tests (*.test.ts) may import anything of their own workspace, and what the root offers for tests.
 */
export const areas = {
  // The wire and the HTTP contract: the two languages that everybody speaks.
  'packages/protocol': { may: [], packages: [] },
  'packages/contract': { may: [], packages: ['zod'] },

  // The widget, for any page: the loader first, the rest when it is needed.
  'packages/tunnel': { may: ['packages/protocol'], packages: ['node:*'] },
  'packages/browser': { may: ['packages/feedback'], packages: [] },
  'packages/react': { may: ['packages/browser', 'packages/feedback'], packages: ['react'] },
  'packages/feedback': { may: [], packages: ['modern-screenshot'] },

  // The server. lib knows nothing of the domain; slices know lib and the slices to their right:
  // issues → ingest → accounts. Engines stand in storage and see only types of ports.
  'apps/server/src/lib': { may: [], packages: ['node:*'] },
  'apps/server/src/limits.ts': { may: [], packages: [] },
  'apps/server/src/config.ts': { may: ['apps/server/src/lib'], packages: ['zod', 'node:*'] },
  'apps/server/src/search': { may: ['apps/server/src/lib', 'apps/server/src/limits.ts'], packages: [] },
  'apps/server/src/accounts': {
    may: [
      'apps/server/src/lib',
      'apps/server/src/limits.ts',
      'apps/server/src/http',
      'packages/contract',
      'packages/protocol',
    ],
    types: ['apps/server/src/storage/ledger'],
    packages: ['node:*', 'zod', 'kysely'],
  },
  'apps/server/src/ingest': {
    may: ['apps/server/src/lib', 'apps/server/src/limits.ts', 'packages/protocol'],
    types: [
      'apps/server/src/accounts',
      'apps/server/src/issues',
      'apps/server/src/feedback',
      'apps/server/src/storage',
      'apps/server/src/config.ts',
    ],
    packages: ['node:*'],
  },
  'apps/server/src/issues': {
    may: [
      'apps/server/src/lib',
      'apps/server/src/limits.ts',
      'apps/server/src/search',
      'apps/server/src/http',
      'apps/server/src/accounts',
      'apps/server/src/ingest',
      'apps/server/src/issues/short-id.ts',
      'apps/server/src/issues/workflow/status.ts',
      'packages/contract',
      'packages/protocol',
    ],
    types: ['apps/server/src/feedback'],
    packages: ['node:*', 'bowser'],
  },
  'apps/server/src/feedback': {
    may: [
      'apps/server/src/lib',
      'apps/server/src/limits.ts',
      'apps/server/src/http',
      'apps/server/src/accounts',
      'apps/server/src/ingest',
      'apps/server/src/issues',
      'apps/server/src/feedback/spam.ts',
      'packages/contract',
      'packages/protocol',
    ],
    types: ['apps/server/src/mail'],
    packages: ['node:*'],
  },
  // Pure: the ledger judges a report by those that came before it.
  'apps/server/src/feedback/spam.ts': { may: [], types: ['apps/server/src/accounts'], packages: [] },
  'apps/server/src/mail': { may: ['apps/server/src/limits.ts'], packages: ['nodemailer'] },
  // Pure rules about issues that engines apply as well.
  'apps/server/src/issues/short-id.ts': { may: [], packages: [] },
  'apps/server/src/issues/workflow/status.ts': { may: [], types: ['apps/server/src/storage'], packages: [] },
  'apps/server/src/http': {
    may: ['apps/server/src/lib', 'apps/server/src/limits.ts', 'packages/contract'],
    types: ['apps/server/src/accounts'],
    packages: ['node:*', 'hono', '@hono/node-server', 'zod'],
  },
  // The script tag's files, as they were built.
  'apps/server/src/sdk': { may: [], types: ['apps/server/src/http'], packages: ['node:*'] },
  'apps/server/src/storage': {
    may: [
      'apps/server/src/lib',
      'apps/server/src/limits.ts',
      'apps/server/src/search',
      'apps/server/src/issues/short-id.ts',
      'apps/server/src/issues/workflow/status.ts',
      'apps/server/src/feedback/spam.ts',
    ],
    types: ['apps/server/src/ingest', 'apps/server/src/issues', 'apps/server/src/feedback', 'apps/server/src/accounts'],
    packages: ['node:*', 'kysely', 'pg', '@clickhouse/client', 'chdb', 'aws4fetch'],
  },

  // The places that put things together.
  'apps/server/src': {
    may: [
      'apps/server/src/lib',
      'apps/server/src/limits.ts',
      'apps/server/src/config.ts',
      'apps/server/src/accounts',
      'apps/server/src/ingest',
      'apps/server/src/issues',
      'apps/server/src/feedback',
      'apps/server/src/mail',
      'apps/server/src/http',
      'apps/server/src/sdk',
      'apps/server/src/storage',
      'packages/contract',
      'packages/protocol',
    ],
    packages: ['node:*', 'hono', '@hono/node-server'],
  },
  'apps/cli': { may: ['packages/contract', 'packages/protocol'], packages: ['node:*'] },

  // The shop: a site of a user, who has the packages and nothing of the inside.
  'apps/demo/src': {
    may: ['packages/browser', 'packages/feedback', 'packages/react'],
    packages: ['react', 'react-dom', '@tanstack/react-router'],
  },
  'apps/demo/src/server': {
    may: ['packages/tunnel', 'packages/protocol'],
    packages: ['node:*', 'hono', '@hono/node-server'],
  },

  // The console: routes → features → ui → lib. A feature sees another one through its index.ts only.
  'apps/console/src/lib': {
    may: ['packages/contract', 'packages/browser', 'packages/feedback'],
    packages: ['react', '@tanstack/react-query', '@tanstack/react-router'],
  },
  'apps/console/src/ui': {
    may: ['apps/console/src/lib'],
    packages: ['react', 'react-dom', '@base-ui/react', '@tanstack/react-router', 'uplot', 'cmdk'],
  },
  'apps/console/src/features': {
    may: ['apps/console/src/lib', 'apps/console/src/ui', 'apps/console/src/shell', 'packages/contract'],
    packages: [
      'react',
      'react-dom',
      '@base-ui/react',
      '@tanstack/react-query',
      '@tanstack/react-router',
      '@tanstack/react-virtual',
      'shiki',
      'zod',
    ],
  },
  'apps/console/src/shell': {
    may: ['apps/console/src/lib', 'apps/console/src/ui', 'packages/contract'],
    packages: ['react', 'react-dom', '@base-ui/react', '@tanstack/react-query', '@tanstack/react-router'],
  },
  'apps/console/src': {
    may: [
      'apps/console/src/lib',
      'apps/console/src/ui',
      'apps/console/src/shell',
      'apps/console/src/features',
      'packages/contract',
    ],
    packages: [
      'react',
      'react-dom',
      '@base-ui/react',
      '@tanstack/react-query',
      '@tanstack/react-router',
      '@fontsource-variable/inter',
      '@fontsource-variable/jetbrains-mono',
    ],
  },
}

/**
 * Slices with a face: from outside, values are imported from these files only (types from anywhere, and the composing files
 * of the server see everything). A name that ends in /* means each folder below.
 */
export const faces = {
  'apps/server/src/accounts': [/^index\.ts$/],
  'apps/server/src/ingest': [/^index\.ts$/],
  'apps/server/src/issues': [/^index\.ts$/],
  'apps/server/src/feedback': [/^index\.ts$/, /^spam\.ts$/],
  'apps/server/src/http': [/^index\.ts$/],
  'apps/server/src/sdk': [/^index\.ts$/],
  // Routes load a feature's screens late, so its data and the shape of its URL stand apart from them.
  'apps/console/src/features/*': [/^(\w+\/)?index\.ts$/, /^queries\.ts$/, /^model\/([\w-]+-)?search\.ts$/],
}

/** Exceptions, each with a name and a reason. Empty is the goal. */
export const debt = []
