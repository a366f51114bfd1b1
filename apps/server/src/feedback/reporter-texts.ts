import { ar, ja, zh } from './reporter-texts-east.ts'

/** What reporters read, on their page and in their mails: in their own language where we have it. */
export interface ReporterTexts {
  /** Of `<html lang>`. */
  readonly language: string
  readonly direction: 'ltr' | 'rtl'
  /** `{project}` */
  readonly pageTitle: string
  readonly yourReport: string
  readonly you: string
  readonly noAnswerYet: string
  readonly answerLabel: string
  readonly send: string
  readonly sent: string
  readonly emptyAnswer: string
  readonly tooMany: string
  readonly full: string
  readonly closed: string
  readonly private: string
  readonly notFoundTitle: string
  readonly notFound: string
  /** System message, `{release}`. */
  readonly resolvedIn: string
  readonly resolved: string
  /** Of a mail, `{project}`. */
  readonly subjectReply: string
  readonly subjectResolved: string
  readonly youWrote: string
  /** Above the link. */
  readonly answerHere: string
  /** Why somebody gets this mail, `{project}`. */
  readonly whyThisMail: string
  /** Begins what is said when something is repaired, `{name}`. */
  readonly greeting: string
  /** A button, and what stands in the thread once it was pressed. */
  readonly stillHappens: string
  readonly stillQuestion: string
  readonly stillSent: string
  /** Page on which somebody says that they want no mails about repairs, `{project}`. */
  readonly stopTitle: string
  readonly stopQuestion: string
  readonly stop: string
  readonly stopped: string
  /** Above the link to it in a mail. */
  readonly stopHere: string
}

const en: ReporterTexts = {
  language: 'en',
  direction: 'ltr',
  pageTitle: 'Your report to {project}',
  yourReport: 'Your report',
  you: 'You',
  noAnswerYet: 'No answer yet. Keep the address of this page: the answer will appear here.',
  answerLabel: 'Your answer',
  send: 'Send',
  sent: 'Your answer was sent.',
  emptyAnswer: 'Please write something first.',
  tooMany: 'You have written several times just now. Please wait some minutes and try again; your text is still here.',
  full: 'This conversation has reached its greatest length. Please send a new report.',
  closed: 'This report is closed. Write an answer to open it again.',
  private: 'Only people who have the address of this page can read it.',
  notFoundTitle: 'Nothing here',
  notFound: 'This address leads to no report. It may be incomplete, or the report was deleted.',
  resolvedIn: 'The problem you reported is resolved in release {release}. Thank you for telling us!',
  resolved: 'The problem you reported is resolved. Thank you for telling us!',
  subjectReply: '{project}: an answer to your report',
  subjectResolved: '{project}: the problem you reported is resolved',
  youWrote: 'You wrote:',
  answerHere: 'Read and answer here (the address is private, please do not pass it on):',
  whyThisMail: 'You get this mail because somebody gave this address when they sent a report to {project}.',
  greeting: 'Hello {name},',
  stillHappens: 'It still happens',
  stillQuestion: 'Does it still happen to you? Then tell us, and we look at it again.',
  stillSent: 'Thank you. We look at it again.',
  stopTitle: 'Mails about repairs',
  stopQuestion:
    'Do you want no more mails that say that something you reported to {project} is repaired? Answers to what you wrote will still come.',
  stop: 'No more such mails',
  stopped: 'You will get no more mails about repairs.',
  stopHere: 'No more mails about repairs:',
}

const de: ReporterTexts = {
  language: 'de',
  direction: 'ltr',
  pageTitle: 'Ihre Meldung an {project}',
  yourReport: 'Ihre Meldung',
  you: 'Sie',
  noAnswerYet: 'Noch keine Antwort. Bewahren Sie die Adresse dieser Seite auf: Die Antwort erscheint hier.',
  answerLabel: 'Ihre Antwort',
  send: 'Senden',
  sent: 'Ihre Antwort wurde gesendet.',
  emptyAnswer: 'Bitte schreiben Sie zuerst etwas.',
  tooMany: 'Sie haben gerade mehrmals geschrieben. Bitte warten Sie einige Minuten; Ihr Text steht noch hier.',
  full: 'Dieses Gespräch hat seine größte Länge erreicht. Bitte senden Sie eine neue Meldung.',
  closed: 'Diese Meldung ist abgeschlossen. Mit einer Antwort wird sie wieder geöffnet.',
  private: 'Nur wer die Adresse dieser Seite hat, kann sie lesen.',
  notFoundTitle: 'Hier ist nichts',
  notFound: 'Diese Adresse führt zu keiner Meldung. Sie ist unvollständig, oder die Meldung wurde gelöscht.',
  resolvedIn: 'Das gemeldete Problem ist in Version {release} behoben. Danke für Ihre Meldung!',
  resolved: 'Das gemeldete Problem ist behoben. Danke für Ihre Meldung!',
  subjectReply: '{project}: Antwort auf Ihre Meldung',
  subjectResolved: '{project}: Das gemeldete Problem ist behoben',
  youWrote: 'Sie schrieben:',
  answerHere: 'Hier lesen und antworten (die Adresse ist privat, bitte nicht weitergeben):',
  whyThisMail: 'Sie erhalten diese E-Mail, weil bei einer Meldung an {project} diese Adresse angegeben wurde.',
  greeting: 'Guten Tag {name},',
  stillHappens: 'Es tritt noch auf',
  stillQuestion: 'Tritt das Problem bei Ihnen noch auf? Dann sagen Sie es uns, und wir sehen es uns noch einmal an.',
  stillSent: 'Danke. Wir sehen es uns noch einmal an.',
  stopTitle: 'E-Mails über Behobenes',
  stopQuestion:
    'Möchten Sie keine E-Mails mehr darüber, dass etwas behoben ist, das Sie an {project} gemeldet haben? Antworten auf Ihre Meldungen kommen weiterhin.',
  stop: 'Keine solchen E-Mails mehr',
  stopped: 'Sie erhalten keine E-Mails über Behobenes mehr.',
  stopHere: 'Keine E-Mails über Behobenes mehr:',
}

const fr: ReporterTexts = {
  language: 'fr',
  direction: 'ltr',
  pageTitle: 'Votre message à {project}',
  yourReport: 'Votre message',
  you: 'Vous',
  noAnswerYet: 'Pas encore de réponse. Gardez l’adresse de cette page : la réponse apparaîtra ici.',
  answerLabel: 'Votre réponse',
  send: 'Envoyer',
  sent: 'Votre réponse a été envoyée.',
  emptyAnswer: 'Écrivez d’abord quelque chose.',
  tooMany: 'Vous venez d’écrire plusieurs fois. Attendez quelques minutes ; votre texte est toujours là.',
  full: 'Cette conversation a atteint sa longueur maximale. Envoyez un nouveau message.',
  closed: 'Ce message est clos. Répondez pour le rouvrir.',
  private: 'Seules les personnes qui ont l’adresse de cette page peuvent la lire.',
  notFoundTitle: 'Rien ici',
  notFound: 'Cette adresse ne mène à aucun message. Elle est incomplète, ou le message a été supprimé.',
  resolvedIn: 'Le problème signalé est résolu dans la version {release}. Merci de nous l’avoir dit !',
  resolved: 'Le problème signalé est résolu. Merci de nous l’avoir dit !',
  subjectReply: '{project} : une réponse à votre message',
  subjectResolved: '{project} : le problème signalé est résolu',
  youWrote: 'Vous avez écrit :',
  answerHere: 'Lire et répondre ici (adresse privée, ne la transmettez pas) :',
  whyThisMail: 'Vous recevez cet e-mail car cette adresse a été donnée avec un message à {project}.',
  greeting: 'Bonjour {name},',
  stillHappens: 'Le problème est toujours là',
  stillQuestion: 'Le problème se produit-il encore chez vous ? Dites-le-nous, et nous le regarderons de nouveau.',
  stillSent: 'Merci. Nous le regardons de nouveau.',
  stopTitle: 'E-mails sur les corrections',
  stopQuestion:
    'Ne plus recevoir d’e-mails disant qu’un problème signalé à {project} est corrigé ? Les réponses à vos messages continueront d’arriver.',
  stop: 'Ne plus recevoir ces e-mails',
  stopped: 'Vous ne recevrez plus d’e-mails sur les corrections.',
  stopHere: 'Ne plus recevoir d’e-mails sur les corrections :',
}

const es: ReporterTexts = {
  language: 'es',
  direction: 'ltr',
  pageTitle: 'Su mensaje a {project}',
  yourReport: 'Su mensaje',
  you: 'Usted',
  noAnswerYet: 'Aún no hay respuesta. Guarde la dirección de esta página: la respuesta aparecerá aquí.',
  answerLabel: 'Su respuesta',
  send: 'Enviar',
  sent: 'Su respuesta se ha enviado.',
  emptyAnswer: 'Escriba algo primero.',
  tooMany: 'Acaba de escribir varias veces. Espere unos minutos; su texto sigue aquí.',
  full: 'Esta conversación ha alcanzado su longitud máxima. Envíe un mensaje nuevo.',
  closed: 'Este mensaje está cerrado. Responda para volver a abrirlo.',
  private: 'Solo quienes tienen la dirección de esta página pueden leerla.',
  notFoundTitle: 'No hay nada aquí',
  notFound: 'Esta dirección no lleva a ningún mensaje. Está incompleta o el mensaje se eliminó.',
  resolvedIn: 'El problema que notificó está resuelto en la versión {release}. ¡Gracias por avisarnos!',
  resolved: 'El problema que notificó está resuelto. ¡Gracias por avisarnos!',
  subjectReply: '{project}: respuesta a su mensaje',
  subjectResolved: '{project}: el problema que notificó está resuelto',
  youWrote: 'Usted escribió:',
  answerHere: 'Lea y responda aquí (la dirección es privada, no la comparta):',
  whyThisMail: 'Recibe este correo porque se indicó esta dirección en un mensaje a {project}.',
  greeting: 'Hola {name}:',
  stillHappens: 'Sigue ocurriendo',
  stillQuestion: '¿Le sigue ocurriendo? Díganoslo y lo revisaremos de nuevo.',
  stillSent: 'Gracias. Lo revisamos de nuevo.',
  stopTitle: 'Correos sobre correcciones',
  stopQuestion:
    '¿No quiere más correos que digan que está corregido algo que notificó a {project}? Las respuestas a sus mensajes seguirán llegando.',
  stop: 'No más correos de este tipo',
  stopped: 'No recibirá más correos sobre correcciones.',
  stopHere: 'No recibir más correos sobre correcciones:',
}

const pt: ReporterTexts = {
  language: 'pt',
  direction: 'ltr',
  pageTitle: 'A sua mensagem para {project}',
  yourReport: 'A sua mensagem',
  you: 'Você',
  noAnswerYet: 'Ainda não há resposta. Guarde o endereço desta página: a resposta aparecerá aqui.',
  answerLabel: 'A sua resposta',
  send: 'Enviar',
  sent: 'A sua resposta foi enviada.',
  emptyAnswer: 'Escreva algo primeiro.',
  tooMany: 'Você acabou de escrever várias vezes. Aguarde alguns minutos; o seu texto continua aqui.',
  full: 'Esta conversa atingiu o tamanho máximo. Envie uma nova mensagem.',
  closed: 'Esta mensagem está encerrada. Responda para reabri-la.',
  private: 'Só quem tem o endereço desta página pode lê-la.',
  notFoundTitle: 'Nada aqui',
  notFound: 'Este endereço não leva a nenhuma mensagem. Está incompleto ou a mensagem foi excluída.',
  resolvedIn: 'O problema que você relatou está resolvido na versão {release}. Obrigado por nos avisar!',
  resolved: 'O problema que você relatou está resolvido. Obrigado por nos avisar!',
  subjectReply: '{project}: resposta à sua mensagem',
  subjectResolved: '{project}: o problema que você relatou está resolvido',
  youWrote: 'Você escreveu:',
  answerHere: 'Leia e responda aqui (o endereço é privado, não o compartilhe):',
  whyThisMail: 'Você recebe este e-mail porque este endereço foi indicado numa mensagem para {project}.',
  greeting: 'Olá {name},',
  stillHappens: 'Ainda acontece',
  stillQuestion: 'Ainda acontece com você? Diga-nos, e vamos verificar de novo.',
  stillSent: 'Obrigado. Vamos verificar de novo.',
  stopTitle: 'E-mails sobre correções',
  stopQuestion:
    'Não quer mais e-mails a dizer que algo que relatou a {project} foi corrigido? As respostas às suas mensagens continuarão a chegar.',
  stop: 'Não receber mais estes e-mails',
  stopped: 'Não receberá mais e-mails sobre correções.',
  stopHere: 'Não receber mais e-mails sobre correções:',
}

const CATALOGUES = new Map([en, de, fr, es, pt, ja, zh, ar].map((texts) => [texts.language, texts]))

/** The first language of the list that we have; English otherwise. `de-AT` is `de`. */
export const reporterTexts = (languages: readonly string[]): ReporterTexts => {
  for (const language of languages) {
    const texts = CATALOGUES.get(language.trim().toLowerCase().split(/[-_;]/, 1)[0] ?? '')
    if (texts !== undefined) return texts
  }
  return en
}

/** Fills `{name}` in. */
export const fill = (text: string, values: Readonly<Record<string, string>>): string =>
  text.replaceAll(/\{(\w+)\}/g, (all, name: string) => values[name] ?? all)
