import { originOf, parseDsnParts } from '@firsthand/protocol/wire'

/** A platform that the picker offers, with everything to copy. Ids are those of Sentry's platform list. */
export interface Platform {
  readonly id: string
  readonly name: string
  readonly group: 'Browser' | 'Server' | 'Mobile and desktop' | 'Other'
  /** Two letters for the tile. */
  readonly mark: string
  readonly steps: (dsn: PlatformDsn) => readonly Step[]
}

/** A step of the instructions: a sentence and, mostly, something to copy. */
export interface Step {
  readonly title: string
  readonly text?: string
  readonly file?: string
  readonly code?: string
}

export interface PlatformDsn {
  /** The whole DSN. */
  readonly dsn: string
  readonly origin: string
  readonly publicKey: string
  readonly projectId: string
}

/** Splits a DSN `https://key@host/prefix/42`; what cannot be read stays whole, and the parts are placeholders. */
export function readDsn(dsn: string): PlatformDsn {
  const parts = parseDsnParts(dsn)
  if (parts === undefined) return { dsn, origin: location.origin, publicKey: '<key>', projectId: '<project id>' }
  return { dsn, origin: originOf(parts), publicKey: parts.publicKey, projectId: parts.projectId }
}

const terminal = (code: string, title = 'Install'): Step => ({ title, file: 'Terminal', code })

const browserSteps =
  (packageName: string, file: string, setup: (dsn: string) => string, test: Step) =>
  ({ dsn }: PlatformDsn): readonly Step[] => [
    terminal(`npm install ${packageName}`),
    {
      title: 'Start it as early as possible',
      text: 'Before the rest of the application, so that nothing is missed.',
      file,
      code: setup(dsn),
    },
    test,
  ]

/** One line, because a console runs what is pasted at once; thrown later, because consoles keep their own errors to themselves. */
export const CONSOLE_LINE = `setTimeout(() => { throw new Error('My first Firsthand error') })`

const pressButton: Step = {
  title: 'Send a first error',
  text: 'Anything that is not caught is reported. Paste this line into the browser console, or into your code.',
  file: 'JavaScript',
  code: CONSOLE_LINE,
}

const throwNow = (file: string, code: string): Step => ({ title: 'Send a first error', file, code })

/** The whole of it for any web page: errors from the first moment, nothing to install or to build. */
export const scriptTag = ({ origin, dsn }: PlatformDsn): string =>
  `<script src="${origin}/sdk.js"\n  data-dsn="${dsn}" async></script>`

export const PLATFORMS: readonly Platform[] = [
  {
    id: 'javascript',
    name: 'Browser JavaScript',
    group: 'Browser',
    mark: 'JS',
    steps: browserSteps(
      '@sentry/browser',
      'main.js',
      (dsn) => `import * as Sentry from '@sentry/browser'

Sentry.init({
  dsn: '${dsn}',
  release: 'my-app@1.0.0',
  environment: 'production',
})`,
      pressButton,
    ),
  },
  {
    id: 'javascript-react',
    name: 'React',
    group: 'Browser',
    mark: 'Re',
    steps: browserSteps(
      '@sentry/react',
      'main.tsx',
      (dsn) => `import * as Sentry from '@sentry/react'
import { createRoot } from 'react-dom/client'
import { App } from './App'

Sentry.init({
  dsn: '${dsn}',
  release: 'my-app@1.0.0',
  environment: 'production',
})

createRoot(document.getElementById('root'), {
  onUncaughtError: Sentry.reactErrorHandler(),
  onCaughtError: Sentry.reactErrorHandler(),
  onRecoverableError: Sentry.reactErrorHandler(),
}).render(<App />)`,
      {
        title: 'Send a first error',
        file: 'App.tsx',
        code: `<button onClick={() => { throw new Error('My first Firsthand error') }}>Break it</button>`,
      },
    ),
  },
  {
    id: 'javascript-nextjs',
    name: 'Next.js',
    group: 'Browser',
    mark: 'Nx',
    steps: ({ dsn }) => [
      terminal('npm install @sentry/nextjs'),
      {
        title: 'In the browser',
        file: 'instrumentation-client.ts',
        code: `import * as Sentry from '@sentry/nextjs'

Sentry.init({ dsn: '${dsn}' })

export const onRouterTransitionStart = Sentry.captureRouterTransitionStart`,
      },
      {
        title: 'On the server',
        file: 'instrumentation.ts',
        code: `import * as Sentry from '@sentry/nextjs'

export function register() {
  Sentry.init({ dsn: '${dsn}' })
}

export const onRequestError = Sentry.captureRequestError`,
      },
      {
        title: 'For errors of the root layout',
        file: 'app/global-error.tsx',
        code: `'use client'
import * as Sentry from '@sentry/nextjs'
import { useEffect } from 'react'

export default function GlobalError({ error }: { error: Error & { digest?: string } }) {
  useEffect(() => {
    Sentry.captureException(error)
  }, [error])
  return (
    <html>
      <body>Something went wrong.</body>
    </html>
  )
}`,
      },
      {
        title: 'Send a first error',
        file: 'app/page.tsx',
        code: `'use client'

export default function Page() {
  return <button onClick={() => { throw new Error('My first Firsthand error') }}>Break it</button>
}`,
      },
    ],
  },
  {
    id: 'javascript-vue',
    name: 'Vue',
    group: 'Browser',
    mark: 'Vu',
    steps: browserSteps(
      '@sentry/vue',
      'main.ts',
      (dsn) => `import * as Sentry from '@sentry/vue'
import { createApp } from 'vue'
import App from './App.vue'

const app = createApp(App)

Sentry.init({
  app,
  dsn: '${dsn}',
  release: 'my-app@1.0.0',
  environment: 'production',
})

app.mount('#app')`,
      pressButton,
    ),
  },
  {
    id: 'node',
    name: 'Node.js',
    group: 'Server',
    mark: 'No',
    steps: ({ dsn }) => [
      terminal('npm install @sentry/node'),
      {
        title: 'Start it before everything else',
        file: 'instrument.mjs',
        code: `import * as Sentry from '@sentry/node'

Sentry.init({
  dsn: '${dsn}',
  release: 'my-service@1.0.0',
  environment: 'production',
})`,
      },
      terminal('node --import ./instrument.mjs app.mjs', 'Run with it'),
      throwNow('app.mjs', `setTimeout(() => {\n  throw new Error('My first Firsthand error')\n})`),
    ],
  },
  {
    id: 'node-express',
    name: 'Express',
    group: 'Server',
    mark: 'Ex',
    steps: ({ dsn }) => [
      terminal('npm install @sentry/node'),
      {
        title: 'Start it before everything else',
        file: 'instrument.mjs',
        code: `import * as Sentry from '@sentry/node'

Sentry.init({
  dsn: '${dsn}',
  release: 'my-service@1.0.0',
  environment: 'production',
})`,
      },
      {
        title: 'After all routes, before other error handlers',
        file: 'app.mjs',
        code: `import * as Sentry from '@sentry/node'
import express from 'express'

const app = express()

app.get('/break', () => {
  throw new Error('My first Firsthand error')
})

Sentry.setupExpressErrorHandler(app)

app.listen(3000)`,
      },
      terminal('node --import ./instrument.mjs app.mjs', 'Run with it'),
      terminal('curl http://localhost:3000/break', 'Send a first error'),
    ],
  },
  {
    id: 'python',
    name: 'Python',
    group: 'Server',
    mark: 'Py',
    steps: ({ dsn }) => [
      terminal('pip install sentry-sdk'),
      {
        title: 'Start it as early as possible',
        file: 'main.py',
        code: `import sentry_sdk

sentry_sdk.init(
    dsn="${dsn}",
    release="my-service@1.0.0",
    environment="production",
)`,
      },
      throwNow('main.py', 'division_by_zero = 1 / 0'),
    ],
  },
  {
    id: 'python-django',
    name: 'Django',
    group: 'Server',
    mark: 'Dj',
    steps: ({ dsn }) => [
      terminal('pip install "sentry-sdk[django]"'),
      {
        title: 'Start it in the settings',
        file: 'settings.py',
        code: `import sentry_sdk

sentry_sdk.init(
    dsn="${dsn}",
    release="my-site@1.0.0",
    environment="production",
)`,
      },
      throwNow(
        'urls.py',
        `from django.urls import path


def trigger_error(request):
    division_by_zero = 1 / 0


urlpatterns = [
    path("break/", trigger_error),
]`,
      ),
    ],
  },
  {
    id: 'python-flask',
    name: 'Flask',
    group: 'Server',
    mark: 'Fl',
    steps: ({ dsn }) => [
      terminal('pip install "sentry-sdk[flask]"'),
      {
        title: 'Start it before the application is made',
        file: 'app.py',
        code: `import sentry_sdk
from flask import Flask

sentry_sdk.init(
    dsn="${dsn}",
    release="my-site@1.0.0",
    environment="production",
)

app = Flask(__name__)`,
      },
      throwNow('app.py', `@app.route("/break")\ndef trigger_error():\n    division_by_zero = 1 / 0`),
    ],
  },
  {
    id: 'go',
    name: 'Go',
    group: 'Server',
    mark: 'Go',
    steps: ({ dsn }) => [
      terminal('go get github.com/getsentry/sentry-go'),
      {
        title: 'Start it in main, and send a first error',
        file: 'main.go',
        code: `package main

import (
	"errors"
	"log"
	"time"

	"github.com/getsentry/sentry-go"
)

func main() {
	err := sentry.Init(sentry.ClientOptions{
		Dsn:         "${dsn}",
		Release:     "my-service@1.0.0",
		Environment: "production",
	})
	if err != nil {
		log.Fatalf("sentry.Init: %s", err)
	}
	// Events are sent in the background: wait for them before the program ends.
	defer sentry.Flush(2 * time.Second)

	sentry.CaptureException(errors.New("My first Firsthand error"))
}`,
      },
    ],
  },
  {
    id: 'ruby',
    name: 'Ruby',
    group: 'Server',
    mark: 'Rb',
    steps: ({ dsn }) => [
      terminal('bundle add sentry-ruby'),
      {
        title: 'Start it as early as possible',
        file: 'main.rb',
        code: `require "sentry-ruby"

Sentry.init do |config|
  config.dsn = "${dsn}"
  config.release = "my-service@1.0.0"
  config.environment = "production"
end`,
      },
      throwNow(
        'main.rb',
        `begin\n  1 / 0\nrescue ZeroDivisionError => exception\n  Sentry.capture_exception(exception)\nend`,
      ),
    ],
  },
  {
    id: 'php',
    name: 'PHP',
    group: 'Server',
    mark: 'Ph',
    steps: ({ dsn }) => [
      terminal('composer require sentry/sentry'),
      {
        title: 'Start it as early as possible',
        file: 'index.php',
        code: `require __DIR__ . '/vendor/autoload.php';

\\Sentry\\init([
  'dsn' => '${dsn}',
  'release' => 'my-site@1.0.0',
  'environment' => 'production',
]);`,
      },
      throwNow('index.php', `throw new Exception('My first Firsthand error');`),
    ],
  },
  {
    id: 'java',
    name: 'Java',
    group: 'Server',
    mark: 'Ja',
    steps: ({ dsn }) => [
      {
        title: 'Install',
        text: 'Put the newest version in place of 8.x.x.',
        file: 'build.gradle',
        code: `dependencies {
    implementation 'io.sentry:sentry:8.x.x'
}`,
      },
      {
        title: 'Start it in main, and send a first error',
        file: 'Main.java',
        code: `import io.sentry.Sentry;

public class Main {
    public static void main(String[] args) {
        Sentry.init(options -> {
            options.setDsn("${dsn}");
            options.setRelease("my-service@1.0.0");
            options.setEnvironment("production");
        });

        try {
            throw new Exception("My first Firsthand error");
        } catch (Exception e) {
            Sentry.captureException(e);
        }
    }
}`,
      },
    ],
  },
  {
    id: 'dotnet',
    name: '.NET',
    group: 'Server',
    mark: '.N',
    steps: ({ dsn }) => [
      terminal('dotnet add package Sentry'),
      {
        title: 'Start it as early as possible, and send a first error',
        file: 'Program.cs',
        code: `using Sentry;

SentrySdk.Init(options =>
{
    options.Dsn = "${dsn}";
    options.Release = "my-service@1.0.0";
    options.Environment = "production";
    options.AutoSessionTracking = true;
});

SentrySdk.CaptureException(new Exception("My first Firsthand error"));`,
      },
    ],
  },
  {
    id: 'apple-ios',
    name: 'iOS',
    group: 'Mobile and desktop',
    mark: 'iO',
    steps: ({ dsn }) => [
      {
        title: 'Install',
        text: 'In Xcode: File, Add Package Dependencies…, and this address.',
        file: 'Swift Package Manager',
        code: 'https://github.com/getsentry/sentry-cocoa.git',
      },
      {
        title: 'Start it when the application starts, and send a first error',
        file: 'App.swift',
        code: `import Sentry
import SwiftUI

@main
struct MyApp: App {
    init() {
        SentrySDK.start { options in
            options.dsn = "${dsn}"
            options.environment = "production"
        }
        SentrySDK.capture(message: "My first Firsthand error")
    }

    var body: some Scene {
        WindowGroup { ContentView() }
    }
}`,
      },
    ],
  },
  {
    id: 'android',
    name: 'Android',
    group: 'Mobile and desktop',
    mark: 'An',
    steps: ({ dsn }) => [
      {
        title: 'Install',
        text: 'Put the newest version in place of 8.x.x.',
        file: 'app/build.gradle.kts',
        code: `dependencies {
    implementation("io.sentry:sentry-android:8.x.x")
}`,
      },
      {
        title: 'Name the DSN in the manifest',
        file: 'AndroidManifest.xml',
        code: `<application>
    <meta-data android:name="io.sentry.dsn" android:value="${dsn}" />
    <meta-data android:name="io.sentry.environment" android:value="production" />
</application>`,
      },
      throwNow(
        'MainActivity.kt',
        `import io.sentry.Sentry

try {
    throw Exception("My first Firsthand error")
} catch (e: Exception) {
    Sentry.captureException(e)
}`,
      ),
    ],
  },
  {
    id: 'other',
    name: 'Something else',
    group: 'Other',
    mark: '…',
    steps: ({ dsn, origin, projectId, publicKey }) => [
      {
        title: 'Any Sentry SDK works',
        text: 'Install the SDK of your language or framework and give it this DSN; nothing else changes.',
        file: 'DSN',
        code: dsn,
      },
      {
        title: 'Or send an event by hand',
        text: 'What an SDK does, in one command.',
        file: 'Terminal',
        code: `curl '${origin}/api/${projectId}/store/' \\
  -H 'Content-Type: application/json' \\
  -H 'X-Sentry-Auth: Sentry sentry_version=7, sentry_key=${publicKey}' \\
  -d '{"message": "My first Firsthand error", "level": "error"}'`,
      },
    ],
  },
]

const OTHER = PLATFORMS.at(-1)

/** The platform of an id; one that is not in the list is `other`. */
export function platformOf(id: string): Platform {
  const found = PLATFORMS.find((platform) => platform.id === id) ?? OTHER
  if (found === undefined) throw new Error('The list of platforms is empty.')
  return found
}
