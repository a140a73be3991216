/**
 * What several auto-configurations share: checks of properties, settings of queues,
 * failure analysis. Not part of the API.
 */
@NullMarked
package io.ojs.boot.internal;

import org.jspecify.annotations.NullMarked;
