// Annotations of audit events from admission: keys come from plugins, webhooks and policies, and those that are not
// qualified names are dropped.

import type { AuditTrail } from '../api/audit-trail.ts';
import { qualifiedNameFaults } from '../api/names.ts';

/** @param key a DNS subdomain, a slash and a name */
export function annotateAdmission(audit: AuditTrail | undefined, key: string, value: string): void {
  if (audit === undefined || key.split('/').length !== 2 || qualifiedNameFaults(key).length > 0) return;
  audit.annotate(key, value);
}
