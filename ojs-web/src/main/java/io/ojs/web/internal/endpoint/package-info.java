/**
 * The endpoints of the OJS HTTP binding, by topic. Not part of the API.
 */
@NullMarked
package io.ojs.web.internal.endpoint;

import org.jspecify.annotations.NullMarked;
