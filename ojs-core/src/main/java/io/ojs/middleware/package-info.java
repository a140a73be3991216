/**
 * What an application puts between enqueueing and sending, and around handlers (OJS
 * Middleware).
 */
@NullMarked
package io.ojs.middleware;

import org.jspecify.annotations.NullMarked;
