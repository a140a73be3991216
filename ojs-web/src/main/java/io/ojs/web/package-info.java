/**
 * The OJS HTTP binding on Spring MVC: the parts that all endpoints share.
 */
@NullMarked
package io.ojs.web;

import org.jspecify.annotations.NullMarked;
