/**
 * Auto-configuration of webhooks.
 */
@NullMarked
package io.ojs.boot.webhook;

import org.jspecify.annotations.NullMarked;
