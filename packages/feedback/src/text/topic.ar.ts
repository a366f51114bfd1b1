import type { TopicTexts } from './topic.en.ts'

export const topicTexts: TopicTexts = {
  feedbackTitle: 'إرسال ملاحظات',
  categoryLabel: 'ما موضوع رسالتك؟',
  categoryBug: 'خطأ',
  categoryIdea: 'فكرة',
  categoryPraise: 'إشادة',
  ratingLabel: 'ما رأيك في هذه الصفحة؟',
}
